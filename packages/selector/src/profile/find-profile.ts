import { readFileSync } from "node:fs";
import { ArgumentError } from "@stowage/ir";
import {
  MODELS_VERSION,
  parseProfile,
  profileOf,
  UNCALIBRATED,
  type Profile,
  type ProfileDocument,
} from "@stowage/backend-api";
import { askedProfile, ownProfilePath, SHIPPED } from "./profile-path.js";
import { staleness, thisMachine } from "./this-machine.js";

/** Figures to choose by, and where they are from. */
export interface FoundProfile {
  readonly profile: Profile;
  /** The path of the profile's file; absent where the shipped figures serve. */
  readonly path?: string;
  /** What the file says, its machine and date among it; absent where `path` is. */
  readonly document?: ProfileDocument;
  /** Why the figures may not be this machine's, in words for the user; empty where all is well. */
  readonly remarks: readonly string[];
}

const HINT = "`stowage calibrate` measures this machine";

/**
 * The profile to choose by: what was asked for, by an option or the environment variable STOWAGE_PROFILE, or the
 * machine's own; where there is none that can be read, shipped figures. A profile of another machine serves, and is
 * called stale in the remarks. `asked` is the path of a file, or "shipped". Throws an ArgumentError where a file that
 * was asked for cannot be read or is no profile.
 */
export function findProfile(asked = askedProfile()): FoundProfile {
  if (asked === SHIPPED) return { profile: UNCALIBRATED, remarks: ["shipped figures, as asked for"] };
  const path = asked ?? ownProfilePath();
  const text = textOf(path);
  if (text instanceof Error) {
    if (asked !== undefined) throw new ArgumentError(`profile ${path}`, "a file", text.message, { cause: text });
    return { profile: UNCALIBRATED, remarks: [`no profile of this machine, shipped figures serve: ${HINT}`] };
  }
  return read(text, path, asked !== undefined);
}

function read(text: string, path: string, isAsked: boolean): FoundProfile {
  try {
    const document = parseProfile(text, `profile ${path}`);
    const stale = staleness(document, thisMachine(), MODELS_VERSION);
    const remarks = stale.length === 0 ? [] : [`${path} is stale (${stale.join("; ")}): ${HINT}`];
    return { profile: profileOf(document), path, document, remarks };
  } catch (error) {
    if (isAsked || !(error instanceof ArgumentError)) throw error;
    return { profile: UNCALIBRATED, remarks: [`${error.message}; shipped figures serve: ${HINT}`] };
  }
}

function textOf(path: string): string | Error {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "an error" } = error as NodeJS.ErrnoException;
    return new Error(code === "ENOENT" ? "none" : code, { cause: error });
  }
}

import { ownProfilePath, SHIPPED } from "@stowage/selector/profile-path";
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { MpiFamily } from "../build/mpi-identity.js";
import { cacheFolders } from "../cache/cache-folders.js";
import { ownFolder } from "../cache/private-folder.js";
import { writeWhole } from "../cache/write-whole.js";
import type { Environment } from "../environment.js";
import { VERSION } from "../version.js";

/** A table that the library reads beside the compiled code: c/tables/table-file.h. */
export interface TableKind {
  /** Its name there, before a dash and the MPI. */
  readonly name: string;
  /** The messages that it is of. */
  readonly messages: string;
  /** Its first line. */
  readonly head: string;
  /** The section of a profile that it is predicted by. */
  readonly section: string;
  /** Its rules by the profile that is asked for; undefined: there are none. */
  readonly rules: (asked: string | undefined, mpi: MpiFamily) => Promise<string | undefined>;
}

/** By which way messages of devices go: c/gpu/route-table.c, where STOWAGE_DEVICE_ROUTES names no other. */
export const DEVICE_ROUTES: TableKind = {
  name: "device-routes",
  messages: "device messages",
  head: "stowage-device-routes 2",
  section: "cuda-generic",
  rules: async (asked, mpi) => (await import("./device-text.js")).foundRoutes(asked, mpi),
};

/** Which messages of one host go past the MPI before their own times are known: c/host/host-table.c. */
export const HOST_ROUTES: TableKind = {
  name: "host-routes",
  messages: "messages of one host",
  head: "stowage-host-routes 1",
  section: "x64",
  rules: async (asked, mpi) => (await import("./host-text.js")).foundWays(asked, mpi),
};

export const TABLES: readonly TableKind[] = [DEVICE_ROUTES, HOST_ROUTES];

export const tableName = ({ name }: TableKind, mpi: MpiFamily): string => `${name}-${mpi}`;

/**
 * Keeps the user's table of a kind for an MPI in step with the profile: made where the profile is new, removed where no
 * profile has the section. Returns the table's text; undefined where there is none: the library's own serves. Throws
 * what the system says. What makes tables is loaded for a new profile alone: it is most of what a run would load.
 */
export async function keepRouteTable(
  kind: TableKind,
  mpi: MpiFamily,
  environment: Environment = process.env,
): Promise<string | undefined> {
  const path = join(ownFolder(cacheFolders(environment)[0]), tableName(kind, mpi));
  const asked = environment["STOWAGE_PROFILE"] || undefined;
  const profile = asked ?? ownProfilePath();
  const figures = asked === SHIPPED ? undefined : textOf(profile);
  const isUnreadable = figures === undefined && asked !== undefined && asked !== SHIPPED;
  if (figures?.includes(`"${kind.section}"`) !== true && !isUnreadable) return removed(path);
  const head = headOf(kind, profile, figures ?? "", mpi);
  const before = textOf(path);
  if (before?.startsWith(head) === true) return before;
  const rules = await kind.rules(asked, mpi);
  if (rules === undefined) return removed(path);
  const text = head + rules;
  writeWhole(path, text);
  return text;
}

function removed(path: string): undefined {
  rmSync(path, { force: true });
  return undefined;
}

/** The table's name, and what it is of. */
function headOf({ head }: TableKind, profile: string, figures: string, mpi: MpiFamily): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([VERSION, mpi, figures]))
    .digest("hex");
  return `${head}\n# ${hash.slice(0, 16)} of ${profile}\n`;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // none yet
  }
}

import { checkOptions } from "@stowage/engine";
import { METHODS, type Method } from "../devices/method.js";
import { A_COUNT, A_STRING, oneOf, type Rules } from "../../option-rules.js";

/**
 * How the bytes of scattered elements travel: by a committed type of the MPI, or packed by our engine into contiguous
 * bytes.
 */
export type Route = "native" | "packed";

/** What is known of a datatype's use. Everything may be left out. */
export interface Hints {
  /** Messages that it will be used for, about: few do not repay measuring and compiling. */
  readonly reuse?: number | undefined;
  /** The backend of our engine that packs it, by name. */
  readonly backend?: string | undefined;
  /** Default: "auto", the one that was measured to cost less. */
  readonly route?: Route | "auto" | undefined;
  /**
   * Of a datatype: how its elements travel from and to a device's memory. Default: "auto", the least predicted time.
   */
  readonly method?: Method | "auto" | undefined;
}

const RULES: Rules<Hints> = {
  reuse: A_COUNT,
  backend: A_STRING,
  route: oneOf("native", "packed", "auto"),
  method: oneOf(...METHODS, "auto"),
};

/** Throws an ArgumentError for hints that there are not. */
export const checkHints = (hints: Hints): void => checkOptions("hints", hints, RULES);

/** Hints as one text, as attributes carry them: entries as of an Info, between semicolons. */
export function textOfHints(hints: Hints): string {
  checkHints(hints);
  const entries = Object.entries(KEYS).map(([name, key]) => [key, hints[name as keyof Hints]] as const);
  return entries.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`])).join(";");
}

/** Throws an ArgumentError for a text that says what no hint is. */
export function hintsOfText(text: string): Hints {
  const entries = text.split(";").filter((entry) => entry !== "");
  return hintsOfInfo(Object.fromEntries(entries.map(keyAndValue)));
}

function keyAndValue(entry: string): readonly [string, string] {
  const [key = "", value = ""] = entry.split("=", 2);
  return [key.trim(), value.trim()];
}

/** As Info objects and attributes carry them: strings under names of ours. MPI 4.1, section 10. */
const KEYS = {
  reuse: "stowage_reuse",
  backend: "stowage_backend",
  route: "stowage_route",
  method: "stowage_method",
} as const;

export function hintsOfInfo(info: Readonly<Record<string, string>>): Hints {
  const { [KEYS.reuse]: reuse, [KEYS.backend]: backend, [KEYS.route]: route, [KEYS.method]: method } = info;
  const hints = {
    ...(reuse === undefined ? {} : { reuse: Number(reuse) }),
    ...(backend === undefined ? {} : { backend }),
    ...(route === undefined ? {} : { route: route as Route }),
    ...(method === undefined ? {} : { method: method as Method }),
  };
  checkHints(hints);
  return hints;
}

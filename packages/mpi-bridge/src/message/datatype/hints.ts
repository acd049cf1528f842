import { DEVICE_FORMS, type DeviceForm } from "../devices/device-forms.js";
import { A_COUNT, A_STRING, givenOptions, oneOf, rulesOf } from "../../option-rules.js";

/** @deprecated Names of carriers take its place. */
export type Route = "native" | "packed";

/** What is known of a datatype's use. Everything may be left out. */
export interface Hints {
  /**
   * How many messages it will be used for, about, 1 or more: few do not repay measuring and compiling. Default of a
   * type that was committed: 200.
   */
  readonly reuse?: number | undefined;
  /** The name of the backend of our engine that packs it. Default: the engine's choice. */
  readonly backend?: string | undefined;
  /**
   * The name of the carrier that its messages go by, or a form of one, as `Communicator.explain` names them, wherever
   * that one can take them. Default: "auto", the one that takes least.
   */
  readonly carrier?: string | undefined;
  /** @deprecated `carrier` says the same, of memory of the host. */
  readonly route?: Route | "auto" | undefined;
  /** @deprecated `carrier` says the same, of a device's memory. */
  readonly method?: DeviceForm | "auto" | undefined;
}

export const NO_HINTS: Hints = Object.freeze({});

/** What hints ask for; undefined where the choice is free. */
export function askedCarrier({ carrier, route, method }: Hints, isOnDevice: boolean): string | undefined {
  const asked = carrier ?? (isOnDevice ? method : route);
  return asked === "auto" ? undefined : asked;
}

const HINTS = rulesOf<Hints>({
  reuse: A_COUNT,
  backend: A_STRING,
  carrier: A_STRING,
  route: oneOf("native", "packed", "auto"),
  method: oneOf(...DEVICE_FORMS, "auto"),
});

/** Throws a BridgeError for hints that there are not. */
export const checkHints = (hints: Hints): Hints => givenOptions(hints, HINTS, "hints");

/** Hints as one text, as attributes carry them: entries as of an Info, between semicolons. */
export function textOfHints(hints: Hints): string {
  checkHints(hints);
  const entries = Object.entries(KEYS).map(([name, key]) => [key, hints[name as keyof Hints]] as const);
  return entries.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`])).join(";");
}

/** Throws a BridgeError for a text that says what no hint is. */
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
  carrier: "stowage_carrier",
  route: "stowage_route",
  method: "stowage_method",
} as const;

export function hintsOfInfo(info: Readonly<Record<string, string>>): Hints {
  const given = Object.entries(KEYS).flatMap(([name, key]) => (info[key] === undefined ? [] : [[name, info[key]]]));
  const { reuse, ...rest } = Object.fromEntries(given) as Readonly<Record<string, string>>;
  return checkHints({ ...(reuse === undefined ? {} : { reuse: Number(reuse) }), ...rest });
}

import { findProfile } from "@stowage/selector";
import type { MpiFamily } from "../build/mpi-identity.js";
import { hostRules, type HostRule } from "./host-rules.js";
import { HostTimes } from "./host-times.js";

/** The rules of a table by the profile that is asked for, or this machine's. Throws what findProfile does. */
export function foundWays(asked: string | undefined, mpi: MpiFamily): string {
  const times = new HostTimes(findProfile(asked).profile, mpi);
  const rules = hostRules((way, message) => times.ofMessage(way, message));
  return [...rules.map(ruleText), ""].join("\n");
}

const ruleText = ({ isOfColumns, bytes, runBytes, way }: HostRule): string =>
  `${isOfColumns ? "columns" : "route"} ${bytes} ${runBytes} ${way}`;

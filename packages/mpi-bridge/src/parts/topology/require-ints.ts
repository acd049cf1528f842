import { quoted } from "@stowage/ir";
import { BridgeError } from "../../errors.js";

/** Throws a BridgeError for what is no list of C's ints. */
export function requireInts(subject: string, list: readonly number[]): void {
  if (!Array.isArray(list)) throw new BridgeError(subject, "32-bit integers", quoted(list));
  const at = list.findIndex((value) => typeof value !== "number" || (value | 0) !== value);
  if (at >= 0) throw new BridgeError(subject, "32-bit integers", quoted(list[at]));
}

/** Throws a BridgeError for anything but true and false. */
export function requireFlags(subject: string, list: readonly boolean[]): void {
  if (!Array.isArray(list)) throw new BridgeError(subject, "a list of true and false", quoted(list));
  const at = list.findIndex((value) => typeof value !== "boolean");
  if (at >= 0) throw new BridgeError(subject, "true or false", quoted(list[at]));
}

/** Throws one unless there is a weight for each edge. */
export function requireWeights(weights: readonly number[], edges: readonly number[]): void {
  if (weights.length === edges.length) return;
  throw new BridgeError("weights of a graph", `${edges.length}, one an edge`, String(weights.length));
}

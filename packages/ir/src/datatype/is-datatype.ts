import type { Datatype } from "./datatype.js";

/** Whether a builder made this: a document of the same kind carries no memo. */
export function isDatatype(value: unknown): value is Datatype {
  return typeof value === "object" && value !== null && "memo" in value && isMemo(value.memo);
}

const isMemo = (memo: unknown): boolean => typeof memo === "object" && memo !== null && "get" in memo;

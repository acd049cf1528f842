import type { Round } from "../loops/stream-plan.js";
import type { Emitter, Offsets } from "./emitter.js";
import { emitTransposed } from "./transposed.js";

/** A round of neighbouring columns, the first one at `offsets`. */
export const emitColumns = (
  e: Emitter,
  { transposed, plan }: Extract<Round, { what: "columns" }>,
  offsets: Offsets,
): void => emitTransposed(e, transposed, offsets, plan);

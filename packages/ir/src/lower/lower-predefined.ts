import { predefinedFacts, type PredefinedEntry } from "../datatype/predefined-table.js";
import { dense } from "../layout/dense.js";
import type { Piece } from "./piece.js";
import { inSequence } from "./in-sequence.js";
import type { Predefined } from "../datatype/datatype.js";

/** One dense run; two where a pair type has a gap between value and index, as MPI_SHORT_INT has. */
export function lowerPredefined(type: Predefined): Piece {
  const { entries } = predefinedFacts(type.name);
  const first = entries[0] as PredefinedEntry;
  const second = entries[1];
  if (second === undefined) return { offsetBytes: 0, node: dense(first.lengthBytes) };
  if (second.offsetBytes === first.lengthBytes) {
    return { offsetBytes: 0, node: dense(first.lengthBytes + second.lengthBytes) };
  }
  return inSequence(entries.map((entry) => ({ offsetBytes: entry.offsetBytes, node: dense(entry.lengthBytes) })));
}

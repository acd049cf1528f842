import { copyMove, type Move } from "@stowage/backend-api";
import {
  DatatypeError,
  isDatatype,
  printSignature,
  sameSignature,
  signatureOf,
  type Datatype,
  type Layout,
} from "@stowage/ir";
import { canonicalLayout } from "./datatype-like.js";

/** Signatures are told up to so many basic types. */
const MOST_NAMES = 8;

/**
 * The move from one datatype to another. Their signatures must be equal: MPI_BYTE is not MPI_INT. A layout has none, so
 * that beside one the sizes alone must be equal. Throws a DatatypeError.
 */
export function moveBetween(from: Datatype | Layout, to: Datatype | Layout): Move {
  if (isDatatype(from) && isDatatype(to)) requireSameSignature(from, to);
  const [source, target] = [canonicalLayout(from), canonicalLayout(to)];
  if (source.sizeBytes !== target.sizeBytes) {
    throw new DatatypeError({
      subject: "size of a copy's target",
      expected: `${source.sizeBytes} bytes an element`,
      got: String(target.sizeBytes),
    });
  }
  return copyMove(source, target);
}

function requireSameSignature(from: Datatype, to: Datatype): void {
  const [expected, got] = [signatureOf(from), signatureOf(to)];
  if (sameSignature(expected, got)) return;
  throw new DatatypeError({
    subject: "signature of a copy's target",
    expected: printSignature(expected, MOST_NAMES),
    got: printSignature(got, MOST_NAMES),
  });
}

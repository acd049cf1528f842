import { boundsOf, printDatatypeText, printSignature, signatureOf, type Datatype } from "@stowage/ir";
import type { CompiledType } from "../compiled-type.js";
import { commentLines } from "./comment-lines.js";

/** The numbers of a datatype that every language's file names, by their suffix. */
export function constantsOf({ bounds }: CompiledType): readonly (readonly [string, number])[] {
  return [
    ["size", bounds.sizeBytes],
    ["extent", bounds.extentBytes],
    ["lower_bound", bounds.lowerBoundBytes],
    ["true_extent", bounds.trueExtentBytes],
    ["true_lower_bound", bounds.trueLowerBoundBytes],
  ];
}

/** Names of a signature that are printed; what follows is an ellipsis. */
const SIGNATURE_NAMES = 64;

/** In ASCII, as compilers and their character sets want it. */
export const signatureText = (datatype: Datatype): string =>
  printSignature(signatureOf(datatype), SIGNATURE_NAMES).replaceAll("×", "*");

const documentText = (datatype: Datatype): string => printDatatypeText(datatype);

/** Lines of a document in a comment; of a longer one its beginning, and how long it is. */
const DOCUMENT_LINES = 20;

/** The document of a datatype for comments. */
export function documentLines(datatype: Datatype): readonly string[] {
  const text = documentText(datatype);
  const lines = commentLines(text);
  if (lines.length <= DOCUMENT_LINES) return lines;
  return [...lines.slice(0, DOCUMENT_LINES), `... (${text.length} characters of JSON in all)`];
}

/** Letters of a document that modules of Python hold; of a longer one they hold none. */
const DOCUMENT_LETTERS = 65_536;

/** The document of a datatype as Python's modules hold it: a text, or None. */
export function pythonDocument(datatype: Datatype): string {
  const text = documentText(datatype);
  return text.length > DOCUMENT_LETTERS ? "None" : JSON.stringify(text);
}

/** What a copy's other datatype is, for comments. */
export const extentOf = (datatype: Datatype): number => boundsOf(datatype).extentBytes;

/** What holds for every function: what callers must keep to, since nothing is checked at run time. */
export const CONTRACT: readonly string[] = [
  "Each function moves bytes [first, first + length) of the packed stream of `count` elements; with first = 0 and",
  "length = count * size, all of it. `source` and `target` of a datatype are where its address 0 lies, of a packed",
  "stream where byte 0 of the whole stream lies or would lie: a buffer of the range alone is passed as buffer - first.",
  "The caller sees to it that 0 <= first, 0 <= length, first + length <= count * size < 2^63, that the bytes of the",
  "range may be read in `source` and written in `target`, and that no byte is on both sides. Then nothing can fail:",
  "there are no errors, no allocations and no state, and any number of threads may call at once, also with disjoint",
  "ranges of one stream.",
];

import { childrenOf } from "../datatype/children-of.js";
import type { Datatype } from "../datatype/datatype.js";
import { visitPostOrder } from "../datatype/visit-post-order.js";
import { DatatypeError } from "../errors.js";
import { printNode } from "./print-datatype.js";
import { requireDatatype } from "../datatype/require-datatype.js";

const MOST_CHARACTERS = 2 ** 28;
const HOLE = "MPI_BYTE";

/**
 * The document of a datatype as JSON text on one line. Unlike JSON.stringify, it does not recurse on nesting.
 * @throws DatatypeError where the text is longer than 2^28 characters: shared datatypes are written out each time.
 */
export function printDatatypeText(datatype: Datatype): string {
  requireDatatype(datatype);
  const texts = new Map<Datatype, string>();
  visitPostOrder(
    datatype,
    (node) => texts.has(node),
    (node) => texts.set(node, requireShort(nodeText(node, (child) => texts.get(child) as string))),
  );
  return texts.get(datatype) as string;
}

/** Every kind has its children in its last field: a node's text is a head, its children's texts and a tail. */
function nodeText(node: Datatype, textOf: (child: Datatype) => string): string {
  const children = inARow(childrenOf(node).map(textOf));
  const text = JSON.stringify(printNode(node, () => HOLE));
  switch (node.kind) {
    case "predefined":
      return text;
    case "struct":
      return `${text.slice(0, text.lastIndexOf("["))}[${children}]}`;
    case "contiguous":
    case "vector":
    case "hvector":
    case "indexed":
    case "hindexed":
    case "indexed_block":
    case "hindexed_block":
    case "subarray":
    case "darray":
    case "resized":
    case "dup":
      return `${text.slice(0, text.lastIndexOf(":"))}:${children}}`;
  }
}

/** Texts separated by commas. Unlike join, + copies no text, so nesting costs no square of its depth. */
const inARow = (texts: readonly string[]): string =>
  texts.reduce((row, text, i) => (i === 0 ? text : row + "," + text), "");

function requireShort(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const got = `${text.length} with shared datatypes written out`;
  throw new DatatypeError({ subject: "text of datatype", expected: "at most 2^28 characters", got });
}

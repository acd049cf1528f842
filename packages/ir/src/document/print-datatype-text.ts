import type { Datatype } from "../datatype/datatype.js";
import { DatatypeError } from "../errors.js";
import type { DatatypeDocument } from "./document.js";
import { printDatatype } from "./print-datatype.js";

const MOST_CHARACTERS = 2 ** 28;

/**
 * The document of a datatype as JSON text on one line. Unlike JSON.stringify, it does not recurse on nesting.
 * @throws DatatypeError where the text is longer than 2^28 characters: shared datatypes are written out each time.
 */
export function printDatatypeText(datatype: Datatype): string {
  const parts: string[] = [];
  let characters = 0;
  const stack: Item[] = [{ document: printDatatype(datatype) }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item === "object") {
      pushItems(item.document, stack);
      continue;
    }
    parts.push(item);
    characters += item.length;
    if (characters > MOST_CHARACTERS) {
      const expected = "at most 2^28 characters";
      throw new DatatypeError({ subject: "text of datatype", expected, got: "more, with shared datatypes written out" });
    }
  }
  return parts.join("");
}

/** Finished text, or a document whose text is yet to come. */
type Item = string | { readonly document: DatatypeDocument };

/** Every kind has its children in its last field, so a document is a head, its children and a tail. */
function pushItems(document: DatatypeDocument, stack: Item[]): void {
  if (typeof document === "string") {
    stack.push(JSON.stringify(document));
  } else if ("children" in document) {
    const { children, ...head } = document;
    stack.push("]}");
    for (let i = children.length - 1; i >= 0; i--) {
      stack.push({ document: children[i] as DatatypeDocument });
      if (i > 0) stack.push(",");
    }
    stack.push(`${JSON.stringify(head).slice(0, -1)},"children":[`);
  } else {
    const { child, ...head } = document;
    stack.push("}", { document: child }, `${JSON.stringify(head).slice(0, -1)},"child":`);
  }
}

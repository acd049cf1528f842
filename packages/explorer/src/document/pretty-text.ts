import { printDatatype, printDatatypeText, type Datatype, type DatatypeDocument } from "@stowage/ir";

/** Longer texts stay on one line, as does a nesting that no screen holds. */
const MOST_CHARACTERS = 100_000;
const DEEPEST = 40;

/** The document of a datatype for people: an object's numbers on one line, its children on lines of their own. */
export function prettyText(datatype: Datatype): string {
  const flat = printDatatypeText(datatype);
  return flat.length > MOST_CHARACTERS ? flat : printed(printDatatype(datatype), 0);
}

function printed(document: DatatypeDocument, depth: number): string {
  if (typeof document === "string" || depth === DEEPEST) return JSON.stringify(document);
  const inner = "  ".repeat(depth + 1);
  const fields = Object.entries(document as Readonly<Record<string, unknown>>);
  const parts = fields.map(
    ([name, value]) => `${breakBefore(name, value, inner)}"${name}": ${valueText(name, value, depth)}`,
  );
  return `{ ${parts.join(", ")} }`.replaceAll(/, +\n/g, ",\n");
}

const breakBefore = (name: string, value: unknown, inner: string): string =>
  name === "children" || (name === "child" && typeof value === "object") ? `\n${inner}` : "";

function valueText(name: string, value: unknown, depth: number): string {
  if (name === "child") return printed(value as DatatypeDocument, depth + 1);
  if (name !== "children") return JSON.stringify(value).replaceAll(",", ", ");
  const inner = "  ".repeat(depth + 2);
  const children = (value as readonly DatatypeDocument[]).map((child) => `${inner}${printed(child, depth + 2)}`);
  return `[\n${children.join(",\n")}\n${"  ".repeat(depth + 1)}]`;
}

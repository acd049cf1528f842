import { elementsOf, workloadSubject } from "@stowage/bench";
import { parseDatatypeText, printDatatypeText, type Datatype } from "@stowage/ir";
import { createHash } from "node:crypto";
import { readText } from "./read-text.js";

/** A datatype that the user named, and how many elements of it. */
export interface NamedType {
  readonly name: string;
  readonly datatype: Datatype;
  readonly count: number;
}

/** A datatype that the user wrote down, and what tables call it. */
export interface WrittenType {
  readonly name: string;
  readonly document: string;
}

/** Reads the TYPE argument of a command. Throws one-line errors that say what was expected. */
export function readType(argument: string): NamedType {
  const written = writtenType(argument);
  if (written === undefined) return elementsOf(workloadSubject(argument.trim()));
  return { name: written.name, datatype: parseDatatypeText(written.document), count: 1 };
}

/** The document of an argument that is one: JSON, @FILE, or an MPI name; undefined where it is a workload's name. */
export function writtenType(argument: string): WrittenType | undefined {
  const text = argument.trim();
  if (text.startsWith("@")) return { name: text.slice(1), document: readText(text.slice(1)) };
  if (/^MPI_/.test(text)) return { name: text, document: JSON.stringify(text) };
  return /^[{"]/.test(text) ? { name: shortName(text), document: text } : undefined;
}

const LONGEST_NAME = 40;

/** Short documents name themselves; of others the kind and a hash, for two may stand in one table. */
function shortName(text: string): string {
  const datatype = parseDatatypeText(text);
  const printed = printDatatypeText(datatype);
  if (printed.length <= LONGEST_NAME) return printed;
  return `${datatype.kind}#${createHash("sha256").update(printed).digest("hex").slice(0, 6)}`;
}

import { elementsOf, workloadSubject } from "@stowage/bench";
import { parseDatatypeText, printDatatypeText, type Datatype } from "@stowage/ir";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readText } from "./read-text.js";
import { TYPE_ARGUMENT } from "./type-argument-text.js";

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
  readonly datatype: Datatype;
}

/** Reads the TYPE argument of a command. Throws one-line errors that say what was expected. */
export function readType(argument: string): NamedType {
  const written = writtenType(argument);
  if (written === undefined) return elementsOf(workloadSubject(argument.trim()));
  return { name: written.name, datatype: written.datatype, count: 1 };
}

/**
 * An argument that is a document: JSON, @FILE, or an MPI name; undefined where it is a workload's name. Throws one line
 * where it is no datatype, which names the file.
 */
export function writtenType(argument: string): WrittenType | undefined {
  const text = argument.trim();
  if (text === "") throw new Error(`TYPE: expected ${TYPE_ARGUMENT}, got nothing`);
  if (text.startsWith("@")) return writtenIn(text.slice(1));
  if (/^mpi_/i.test(text)) return { name: text, ...parsed(JSON.stringify(text)) };
  if (/^([[{"-]|\d+$|null$|true$|false$)/.test(text)) {
    const document = parsed(text);
    return { name: shortName(document.datatype), ...document };
  }
  // Workloads of a file's name do not end so.
  if (existsSync(text) && /\.\w+$/.test(text))
    throw new Error(`TYPE: expected @ before a file's name (@${text}), got ${text}`);
  return undefined;
}

const parsed = (document: string): Omit<WrittenType, "name"> => ({ document, datatype: parseDatatypeText(document) });

function writtenIn(path: string): WrittenType {
  const document = readText(path);
  try {
    return { name: path, ...parsed(document) };
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

const LONGEST_NAME = 40;

/** Short documents name themselves; of others the kind and a hash, for two may stand in one table. */
function shortName(datatype: Datatype): string {
  const printed = printDatatypeText(datatype);
  if (printed.length <= LONGEST_NAME) return printed;
  return `${datatype.kind}#${createHash("sha256").update(printed).digest("hex").slice(0, 6)}`;
}

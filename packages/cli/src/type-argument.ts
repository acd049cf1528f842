import { readFileSync } from "node:fs";
import { parseDatatypeText, type Datatype } from "@stowage/ir";
import { workload } from "@stowage/workloads";

/** A datatype that the user named, and how many elements of it. */
export interface NamedType {
  readonly name: string;
  readonly datatype: Datatype;
  readonly count: number;
}

export const TYPE_ARGUMENT = "a JSON document, @FILE with one, an MPI name, or a workload such as MILC_su3_zdown/0";

/** Reads the TYPE argument of a command. Throws one-line errors that say what was expected. */
export function readType(argument: string): NamedType {
  const text = argument.trim();
  if (text.startsWith("@")) return { name: text.slice(1), datatype: readFile(text.slice(1)), count: 1 };
  if (/^(\{|"|MPI_)/.test(text)) return { name: "type", datatype: parseDatatypeText(text), count: 1 };
  return workload(text);
}

function readFile(path: string): Datatype {
  return parseDatatypeText(readText(path));
}

/** The text of a file that the user named. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path}: expected a readable file, got ${(error as Error).message}`, { cause: error });
  }
}

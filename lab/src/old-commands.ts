import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

/** Where a command that documents and results name has gone. */
interface Moved {
  /** A file, or words of `stowage bench`, as they were. */
  readonly old: string;
  /** The experiment that answers its question now, and the options that its arguments are in their order. */
  readonly run?: string;
  readonly with?: readonly string[];
  readonly arguments?: readonly string[];
  /** Options that have other names, and whether they take a value: "--iterations": "--rounds". */
  readonly options?: Readonly<Record<string, string>>;
  /** Or the file that is run with the same arguments. */
  readonly file?: string;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAP = join(ROOT, "lab", "old-commands.json");

export const movedCommands = (): readonly Moved[] => JSON.parse(readFileSync(MAP, "utf8")) as readonly Moved[];

/** A command as it is now. `launcher`: what stood before it, such as `mpirun -n 2`. */
export interface Command {
  readonly launcher: readonly string[];
  readonly experiment?: string;
  readonly file?: string;
  readonly words: readonly string[];
}

/** Words that only say what runs a file. */
const RUNNERS = ["node", "npx", "stowage", "--expose-gc"];

/** The words of a command's text as a shell reads them; what stands behind a word that ends with a comma is prose. */
function wordsOf(command: string): readonly string[] {
  const typed = command.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  const last = typed.findIndex((word) => word.endsWith(","));
  const words = last < 0 ? typed : [...typed.slice(0, last), (typed[last] as string).slice(0, -1)];
  return words.map((word) => word.replaceAll("'", ""));
}

/** The command that an old one has become, of its text or its words; undefined where it has not moved. */
export function newCommand(command: string | readonly string[]): Command | undefined {
  const words = typeof command === "string" ? wordsOf(command) : command;
  for (const moved of movedCommands()) {
    const [first = "", ...others] = moved.old.split(" ");
    const at = words.findIndex((word, i) => {
      const isFirst = word === first || (first.includes("/") && isAtEnd(first, word));
      return isFirst && others.every((each, k) => words[i + 1 + k] === each);
    });
    if (at < 0) continue;
    const launcher = words.slice(0, at).filter((word) => !RUNNERS.includes(word));
    const rest = words.slice(at + 1 + others.length);
    if (moved.file !== undefined) return { launcher, file: join(ROOT, moved.file), words: rest };
    return { launcher, experiment: moved.run as string, words: [...(moved.with ?? []), ...optionsOf(moved, rest)] };
  }
  return undefined;
}

/** "routes.mjs" and "/home/x/packages/routes/bench/routes.mjs" are names of one file. */
const isAtEnd = (path: string, word: string): boolean => word.includes("/") && `/${word}`.endsWith(`/${path}`);

/** Arguments by their places become options; options keep their names, or get their new ones. */
function optionsOf({ arguments: places = [], options = {} }: Moved, words: readonly string[]): readonly string[] {
  const given: string[] = [];
  let place = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word === ">") {
      given.push(`--out=${words[++i]}`);
      continue;
    }
    if (!word.startsWith("--")) {
      const name = places[place++];
      if (name === undefined) throw new Error(`old command: expected ${places.length} arguments, got ${word} besides`);
      given.push(`${name}=${word}`);
      continue;
    }
    const [flag = "", value] = word.split("=", 2);
    given.push(value === undefined ? (options[flag] ?? flag) : `${options[flag] ?? flag}=${value}`);
    // What follows an option that takes a value is its value.
    const next = words[i + 1];
    if (value === undefined && options[flag] !== undefined && next !== undefined && !next.startsWith("--")) {
      given.push(next);
      i++;
    }
  }
  return given;
}

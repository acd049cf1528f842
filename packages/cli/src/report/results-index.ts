import { outputFile } from "@stowage/bench";
import { parseResults } from "@stowage/bench/results";
import { readdirSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { readText } from "../read-text.js";
import { headlineOf } from "./headline.js";
import { code, markdownTable } from "@stowage/bench/results";

/** What an index says of one file. */
interface Entry {
  readonly machine: string;
  readonly question: string;
  readonly path: string;
  readonly command: string;
  readonly date: string;
  readonly headline: string;
}

/** What files of other forms may say of themselves. */
interface Described {
  readonly question?: string;
  readonly headline?: string;
  readonly command?: string;
  readonly date?: string;
  readonly rows?: readonly unknown[];
}

const INDEX = "README.md";

/** Writes the index of a folder of results, MACHINE/QUESTION.json each, as its README.md; returns what it wrote. */
export function writeIndex(folder: string): string {
  const entries = filesOf(folder).map((path) => entryOf(folder, path));
  if (entries.length === 0) throw new Error(`--index: expected a folder of results, got ${folder} with none`);
  const text = indexMarkdown(entries);
  outputFile(join(folder, INDEX), "--index").write(text);
  return text;
}

function filesOf(folder: string): readonly string[] {
  const files = listed(folder).filter((path) => [".json", ".jsonl", ".log"].includes(extname(path)));
  return files.sort();
}

function listed(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  } catch (error) {
    const { code: got = "an error" } = error as NodeJS.ErrnoException;
    throw new Error(`--index: expected a folder of results, got ${folder}: ${got}`, { cause: error });
  }
}

/** results/epyc/plain-c-fft2.json answers "plain c fft2" on epyc, unless it names its question itself. */
function entryOf(folder: string, file: string): Entry {
  const path = relative(folder, file).replaceAll("\\", "/");
  const [machine = "", ...rest] = path.includes("/") ? path.split("/") : ["", path];
  const name = rest.join("/").slice(0, -extname(path).length).replaceAll(/[-_]/g, " ");
  const text = readText(file);
  const { question = name, headline, command, date } = described(text);
  return {
    machine,
    question,
    path,
    command: command === undefined ? "-" : code(command),
    date: date?.slice(0, 10) ?? "-",
    headline: headline ?? headlineOfText(text, file),
  };
}

function described(text: string): Described {
  try {
    const document = JSON.parse(text) as Described | null;
    return document ?? {};
  } catch {
    return {}; // a log, or JSON lines
  }
}

function headlineOfText(text: string, file: string): string {
  try {
    return headlineOf({ file, ...parseResults(text, file) });
  } catch {
    const { rows } = described(text); // counters, say, which are no times
    return rows === undefined ? `${text.trimEnd().split("\n").length} lines` : `${rows.length} rows`;
  }
}

function indexMarkdown(entries: readonly Entry[]): string {
  const machines = [...new Set(entries.map(({ machine }) => machine))];
  const sections = machines.map((machine) => {
    const own = entries.filter((entry) => entry.machine === machine);
    const lines = own.map(({ question, path, headline, date, command }) => [
      `[${question}](${path})`,
      headline,
      date,
      command,
    ]);
    const table = markdownTable(["question", "headline", "date", "command"], lines);
    return machine === "" ? table : `## ${machine}\n\n${table}`;
  });
  return (
    [
      "# Results",
      "Written by `npx stowage report --index results`. Tables of a file: `npx stowage report FILE`.",
      ...sections,
    ].join("\n\n") + "\n"
  );
}

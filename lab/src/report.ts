import { outputFile, type AnyRow } from "@stowage/bench";
import { anyRows, parseAnyResults, rowsTable } from "@stowage/bench/results";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newCommand } from "./old-commands.js";
import { experiment } from "./registry.js";
import { timesText } from "./times-text.js";

/** What a result file says: by its experiment, or, where it is of an older form, as a table of what it has. */
export async function report(path: string, plots?: string): Promise<string> {
  const text = readFileSync(path, "utf8");
  const document = JSON.parse(text) as unknown;
  const name = experimentOf(document);
  const asked = name === undefined ? undefined : await experiment(name);
  const rows = rowsOf(text, path);
  if (rows === undefined) return rowsTable(anyRows(document));
  if (plots !== undefined && asked?.plot !== undefined) {
    const { drawn } = await import("./drawn.js");
    for (const [file, specification] of Object.entries(asked.plot(rows)))
      outputFile(join(plots, `${file}.svg`), "--plots").write(await drawn(specification));
  }
  const question = asked === undefined ? "" : `${asked.question}\n\n`;
  return question + (asked?.text ?? timesText)(rows);
}

/** Whose rows they are: as the file says, or by the command that wrote it. */
function experimentOf(document: unknown): string | undefined {
  const { experiment: name, command = "" } = document as { experiment?: string; command?: string };
  return name ?? newCommand(command)?.experiment;
}

/** Rows of the one form; undefined of a file of another. */
function rowsOf(text: string, path: string): readonly AnyRow[] | undefined {
  try {
    return parseAnyResults(text, path).rows;
  } catch {
    return undefined;
  }
}

import {
  DEFAULT_SAMPLING,
  heading,
  outputFile,
  sampleInTurns,
  SCHEMA,
  typedCommand,
  type AnyResults,
  type AnyRow,
  type Sampling,
} from "@stowage/bench";
import type { Cell, Entrants, Experiment, Lab, Measured } from "./experiment.js";
import { readOptions, type Given, type OptionTable } from "./options.js";
import { timesText } from "./times-text.js";

/** Those that every experiment has. */
export const COMMON: OptionTable = {
  out: { kind: "text", says: "a result file, kept whole after every cell" },
  json: { kind: "flag", says: "print the result file instead of what it says" },
  trial: { kind: "flag", says: "its smallest run, which tells that it works and no times" },
};

const TRIAL: Sampling = { budgetMs: 0, rounds: 1, sampleUs: 0, warmUpMs: 0 };

/** Runs an experiment by a command line, and prints what it found. Throws one line. */
export async function runExperiment(
  experiment: Experiment,
  words: readonly string[],
  print: (text: string) => void = console.log,
): Promise<AnyResults> {
  const isTrial = words.includes("--trial");
  if (isTrial && typeof experiment.trial === "string")
    throw new Error(`${experiment.name} --trial: expected ${experiment.trial}, got none`);
  const table = { ...COMMON, ...(isTrial ? optional(experiment.options) : experiment.options) };
  const { out, json, ...typed } = readOptions(table, words);
  const given = isTrial ? { ...typed, ...(experiment.trial as Given) } : typed;
  // Every rank takes part, the first tells.
  const isFirst = (process.env["OMPI_COMM_WORLD_RANK"] ?? process.env["PMI_RANK"] ?? "0") === "0";
  const file = out === undefined || !isFirst ? undefined : outputFile(out as string, "--out");
  const head = heading(typedCommand(["npx", "lab", "run", experiment.name, ...words]));
  const facts: Record<string, unknown> = {};
  let machine: object = head.machine;
  const lab: Lab = {
    trial: isTrial,
    remark: (line) => (isFirst ? console.error(line) : undefined),
    note: ({ machine: of = {}, ...others }) => {
      machine = { ...machine, ...of };
      Object.assign(facts, others);
    },
  };
  const rows: AnyRow[] = [];
  const results = (): AnyResults =>
    ({
      ...{ ...head, schema: SCHEMA, machine, kind: experiment.kind, experiment: experiment.name },
      ...(Object.keys(facts).length === 0 ? {} : { facts }),
      rows,
    }) as AnyResults;
  const text = (): string => `${JSON.stringify(results(), null, 1)}\n`;
  for await (const cell of experiment.cells(given, lab)) {
    rows.push(...(await rowsOf(experiment, cell, given, lab)));
    if (file?.replaceable === true) file.write(text());
  }
  file?.write(text());
  if (isFirst) print(json === true ? text() : (experiment.text ?? timesText)(rows));
  return results();
}

/** A trial has what it needs. */
const optional = (table: OptionTable = {}): OptionTable =>
  Object.fromEntries(Object.entries(table).map(([name, { required: _, ...option }]) => [name, option]));

async function rowsOf(experiment: Experiment, cell: Cell, given: Given, lab: Lab): Promise<readonly AnyRow[]> {
  const entrants = await experiment.contenders(cell, given, lab);
  try {
    const measured =
      experiment.run === undefined
        ? inTurns(entrants, lab.trial ? TRIAL : { ...DEFAULT_SAMPLING, ...experiment.sampling?.(given, cell) })
        : await experiment.run(entrants, cell, given, lab);
    return (experiment.rows ?? plainRows(experiment))(cell, measured, entrants);
  } finally {
    for (const entrant of Object.values(entrants)) entrant[Symbol.dispose]?.();
  }
}

/** Checks all, times them in turns, and checks them again. */
export function inTurns(entrants: Entrants, sampling: Sampling): Measured {
  const all = Object.entries(entrants);
  for (const [, entrant] of all) entrant.check?.();
  const times = sampleInTurns(
    all.map(
      ([, entrant]) =>
        () =>
          void entrant.run(),
    ),
    sampling,
  );
  for (const [, entrant] of all) entrant.check?.();
  return Object.fromEntries(all.map(([name], i) => [name, { ...times[i] }]));
}

/** What a datatype's row says where nobody says another. */
const MOVE = { count: 1, route: "host", verified: true, commitNs: 0 };

const plainRows =
  ({ kind }: Experiment) =>
  ({ label }: Cell, measured: Measured, entrants: Entrants): readonly AnyRow[] =>
    Object.entries(measured).map(([contender, found]) => ({
      ...(kind === "moves" ? MOVE : {}),
      ...label,
      contender,
      ...entrants[contender]?.facts,
      ...found,
    }));

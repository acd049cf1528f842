// Programs that print a JSON object a line, { name, bytes, medianNs, minNs, maxNs, runs }, each a process, in turns.
import { grouped, summarise } from "@stowage/bench";
import { spawnSync } from "node:child_process";

/** What a program wrote to its standard output and its standard error. Throws one line where it failed. */
export function ran(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (status !== 0)
    throw new Error(`${command}: expected to end with 0, got ${error?.message ?? `${status}: ${stderr}`}`);
  return { stdout, stderr };
}

/** What a program printed. Throws one line where it failed. */
export const output = (command, args, options) => ran(command, args, options).stdout;

export const jsonLines = (text) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The one line of JSON among others. */
export const jsonOf = (text) => JSON.parse(text.split("\n").find((line) => line.startsWith("{")));

/** Runs { contender: [file, arguments] }: a row a figure and contender, the median of the rounds' medians. */
export function inRounds(programs, rounds) {
  const lines = Array.from({ length: rounds }, () =>
    Object.entries(programs).flatMap(([contender, [file, args]]) =>
      jsonLines(output(file, args)).map((line) => ({ ...line, contender })),
    ),
  ).flat();
  return [...grouped(lines, ({ name, bytes, contender }) => JSON.stringify([name, bytes, contender])).values()].map(
    (own) => ({
      ...{ workload: own[0].name, packedBytes: own[0].bytes, contender: own[0].contender },
      medianNs: summarise(own.map(({ medianNs }) => medianNs)).medianNs,
      minNs: Math.min(...own.map(({ minNs }) => minNs)),
      maxNs: Math.max(...own.map(({ maxNs }) => maxNs)),
      runs: own.reduce((sum, { runs }) => sum + runs, 0),
    }),
  );
}

/** As such a program prints what it timed: `each` calls together are a sample. */
export function printed(name, bytes, runs, run, { each = 1, settle = () => undefined } = {}) {
  for (let i = 0; i < runs / 10 + 1; i++) run();
  settle();
  const samples = Array.from({ length: runs }, () => {
    const start = process.hrtime.bigint();
    for (let j = 0; j < each; j++) run();
    const ns = Number(process.hrtime.bigint() - start) / each;
    settle();
    return ns;
  });
  console.log(JSON.stringify({ name, bytes, ...summarise(samples) }));
}

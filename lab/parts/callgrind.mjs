// Events as callgrind counts them, of one turn of a program: those of a long run less those of a short one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./interposed.mjs";

/** What callgrind writes at its end, with caches simulated (callgrind's manual, "Cycle estimation"). */
export const CACHE_EVENTS = ["instructions", "reads", "writes", "codeMisses", "readMisses", "writeMisses"];

/** Of a run: instructions, and what further flags have callgrind count. */
function counted(folder, { command, variables, flags }) {
  const log = join(folder, "callgrind.log");
  const tool = ["--tool=callgrind", `--callgrind-out-file=${join(folder, "callgrind")}`, `--log-file=${log}`];
  run(["env", ...variables, "valgrind", ...tool, ...flags, ...command]);
  const events = /Collected : ([\d ]+)/.exec(readFileSync(log, "utf8"))?.[1].split(" ").map(Number);
  if (events === undefined) throw new Error(`callgrind: expected events of ${command.join(" ")}, got none`);
  return events;
}

/** `commandOf(turns)` is a program's command, to which `few` and `many` turns are given. */
export function eventsOfTurn(folder, commandOf, [few, many], { variables = [], flags = [] } = {}) {
  const [less, more] = [few, many].map((turns) => counted(folder, { command: commandOf(turns), variables, flags }));
  return more.map((all, i) => Number(((all - less[i]) / (many - few)).toFixed(1)));
}

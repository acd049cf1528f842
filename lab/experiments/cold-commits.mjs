import { summarise, turnsOf } from "@stowage/bench";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { output } from "../parts/programs.mjs";

const TYPES = 20;
const STAGES = ["commit", "first pack", "first unpack"];
const FIGURES = {
  "the first": (us) => us[0],
  [`median of the first ${TYPES}`]: (us) => summarise(us).medianNs,
};
const OWN = fileURLToPath(new URL("../../packages", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../parts/first-commits.mjs", import.meta.url));

export default {
  name: "cold-commits",
  question: "What do a process's first commits take, and the first pack and unpack of each, beside other builds'?",
  kind: "times",
  options: {
    turns: { kind: "number", says: "processes of each build, in turns", byDefault: 15 },
    packages: { kind: "texts", says: "folders `packages` of other builds", byDefault: [] },
  },
  trial: { turns: 1 },
  *cells({ packages, turns }, lab) {
    const builds = [OWN, ...packages.map((folder) => resolve(folder))];
    const processes = builds.map(() => []);
    for (let turn = 0; turn < turns; turn++)
      for (const i of turnsOf(builds.length, turn))
        processes[i].push(JSON.parse(output(process.execPath, [PROGRAM, builds[i], String(TYPES)])));
    lab.note({ types: TYPES });
    for (const [s, stage] of STAGES.entries())
      for (const [what, figure] of Object.entries(FIGURES))
        yield {
          label: { workload: `${stage}, ${what}` },
          ns: processes.map((all) => all.map((us) => 1e3 * figure(us[s]))),
        };
  },
  contenders: () => ({}),
  run: (_, { ns }) =>
    Object.fromEntries(ns.map((each, i) => [i === 0 ? "this" : `other ${i}`, { ...summarise(each), verified: true }])),
};

import { artifactKey, conditions, packMove } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { summarise } from "@stowage/bench";
import { canonicalise, lower, predefined, subarray, vector } from "@stowage/ir";

const child = predefined("MPI_DOUBLE");
const KINDS = {
  vector: (i) => vector(4 + (i % 97), 1, 2 + (i % 1013), child),
  box: (i) =>
    subarray({
      sizes: [40 + (i % 7), 40 + (i % 11), 64],
      subsizes: [3 + (i % 5), 4 + (i % 3), 8 + (i % 13)],
      ...{ starts: [1, 2, 3], order: "C", child },
    }),
};

/** V8's compilers warm up once: what comes first, what follows, and the end are apart. */
const periodsOf = (commits) => ({
  "the first": [commits / 200, commits / 70],
  "a twentieth on": [commits / 20, commits / 4],
  "the last quarter": [(3 * commits) / 4, commits],
});

export default {
  name: "commit-stages",
  question: "Where does the time of a commit go, by stage, as V8 warms up?",
  kind: "times",
  options: {
    kind: { kind: "text", says: Object.keys(KINDS).join(" or "), byDefault: "vector" },
    commits: { kind: "number", says: "each of another datatype of one shape", byDefault: 4000 },
  },
  trial: { commits: 400 },
  *cells({ kind = "vector", commits }) {
    const make = KINDS[kind];
    if (make === undefined) throw new Error(`--kind: expected ${Object.keys(KINDS).join(" or ")}, got ${kind}`);
    const stagesNs = {};
    const timed = (stage, run) => {
      const begin = performance.now();
      const result = run();
      (stagesNs[stage] ??= []).push((performance.now() - begin) * 1e6);
      return result;
    };
    const backend = new X64Backend();
    for (let i = 0; i < commits; i++) {
      const datatype = make(i);
      const lowered = timed("lower", () => lower(datatype));
      const moves = [packMove(timed("canonicalise", () => canonicalise(lowered)))];
      timed("key", () => artifactKey("x64", 0, moves, conditions()));
      const artifact = timed("compile", () => backend.compile(moves, conditions()));
      const kernel = timed("load", () => backend.load(artifact));
      timed("free", () => kernel[Symbol.dispose]());
    }
    for (const [period, [from, to]] of Object.entries(periodsOf(commits)))
      yield { label: { workload: `${kind}, ${period}` }, stagesNs, from, to };
  },
  contenders: () => ({}),
  run: (_, { stagesNs, from, to }) =>
    Object.fromEntries(Object.entries(stagesNs).map(([stage, ns]) => [stage, summarise(ns.slice(from, to))])),
};

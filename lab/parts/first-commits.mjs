// Prints what the first commits of this process take by the packages of one build, with koffi loaded: microseconds of
// each datatype in each stage. node first-commits.mjs PACKAGES TYPES
import { createRequire } from "node:module";
import { join } from "node:path";
import { moduleOf } from "./old-build.mjs";

const [, , packages, types] = process.argv;
createRequire(join(packages, "backend-x64/dist/index.js"))("koffi");
const [{ createEngine }, { forEachRun, predefined, subarray, vector }] = await Promise.all([
  moduleOf(packages, "selector"),
  moduleOf(packages, "ir"),
]);
const child = predefined("MPI_DOUBLE");
const box = (i) =>
  subarray({ sizes: [20, 20, 20 + i], subsizes: [10, 10, 10 + (i >> 1)], starts: [1, 2, 3], order: "C", child });
const all = Array.from({ length: Number(types) }, (_, i) => (i % 2 === 0 ? box(i) : vector(10 + i, 3, 7 + i, child)));
const [from, to] = [new Uint8Array(2 ** 20).map((_, i) => i % 251), new Uint8Array(2 ** 20)];
const engine = createEngine();
const timed = (call) => {
  const begin = performance.now();
  const result = call();
  return { result, us: 1e3 * (performance.now() - begin) };
};
const commits = all.map((type) => timed(() => engine.commit(type)));
const packs = commits.map(({ result }) => timed(() => result.pack(from, to)));
const unpacks = commits.map(({ result }) => timed(() => result.unpack(to, from)));
for (const { result } of commits) {
  const { layout } = result;
  let at = 0;
  result.pack(from, to);
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
    if (Buffer.compare(to.subarray(at, at + length), from.subarray(offset, offset + length)) !== 0)
      throw new Error(`first commits: expected the bytes of a run at ${offset}, got others`);
    at += length;
  });
}
console.log(JSON.stringify([commits, packs, unpacks].map((stage) => stage.map(({ us }) => us))));

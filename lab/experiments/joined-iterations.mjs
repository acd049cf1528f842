import { CpuBackend } from "@stowage/backend-cpu";
import { packMove, unpackMove } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import {
  applyPass,
  canonicalise,
  contiguous,
  hindexed,
  hvector,
  indexed,
  lower,
  PASSES,
  predefined,
  resized,
} from "@stowage/ir";
import { backendOn, DIRECTIONS, moveOn } from "../parts/host.mjs";

const [double, int, byte] = ["MPI_DOUBLE", "MPI_INT", "MPI_BYTE"].map(predefined);
const loop = (extent, blocklengths, displacements, child) => (count) =>
  contiguous(count, resized(0, extent, hindexed(blocklengths, displacements, child)));
const pair = loop(24, [1, 1], [0, 16], double);
const unequal = loop(32, [1, 3], [0, 20], int);
const four = loop(24, [1, 2, 1], [0, 8, 20], int);

/** Entries at irregular places, in order, of as many copies each as `copiesOf` says, `count` copies in all. */
function listOf(element, copiesOf) {
  return (count) => {
    const [copies, places] = [[], []];
    for (let i = 0, at = 0, left = count; left > 0; i++) {
      copies.push(Math.min(left, copiesOf(i)));
      places.push(at);
      at += copies[i] + 1 + ((i * i * 7) % 3);
      left -= copies[i];
    }
    return indexed(copies, places, element(1));
  };
}
const oneOrTwo = (i) => 1 + (((i * i * 31 + i * 17) >> 3) & 1);
const LOOPS = {
  "doubles at 0, 16 in 24": pair,
  "doubles at 0, 56 in 64": loop(64, [1, 1], [0, 56], double),
  "doubles at 0, 4088 in 4096": loop(4096, [1, 1], [0, 4088], double),
  "bytes at 0, 2 in 3": loop(3, [1, 1], [0, 2], byte),
  "ints at 0, 20 to 31 in 32": unequal,
  "8 doubles at 0, 192 in 256": loop(256, [8, 8], [0, 192], double),
  "ints at 0, 8, 12, 20 in 24": four,
  "4 runs in 64": loop(64, [2, 1, 1, 2], [0, 16, 40, 56], int),
  "8 runs in 80": loop(80, [1, 1, 1, 1, 1, 1, 1, 1], [0, 6, 18, 24, 34, 44, 52, 76], int),
  "rows of 500 pairs of doubles": (count) => hvector(count / 500, 1, 16384, pair(500)),
  "rows of 4, ints at 0, 20 to 31 in 32": (count) => hvector(count / 4, 1, 192, unequal(4)),
  "rows of 20, ints at 0, 8, 12, 20 in 24": (count) => hvector(count / 20, 1, 640, four(20)),
  "entries of 2, ints at 0, 20 to 31 in 32": listOf(unequal, () => 2),
  "entries of 8, ints at 0, 20 to 31 in 32": listOf(unequal, () => 8),
  "entries of 4, ints at 0, 8, 12, 20 in 24": listOf(four, () => 4),
  "entries of 1 or 2, doubles at 0, 16 in 24": listOf(pair, oneOrTwo),
  "entries of 1 or 2, bytes at 0, 2 in 3": listOf(loop(3, [1, 1], [0, 2], byte), oneOrTwo),
};
const BACKENDS = { x64: [new X64Backend(), [1000, 100_000]], cpu: [new CpuBackend(), [1000]] };

/** What canonicalise gives without the passes that join. */
function withoutJoins(layout) {
  const passes = PASSES.filter(({ name }) => !/^join(AcrossIterations|WithinBlocks)$/.test(name));
  for (let before; before !== layout;) {
    before = layout;
    for (const pass of passes) layout = applyPass(pass, layout);
  }
  return layout;
}

export default {
  name: "joined-iterations",
  question: "What does joining copies across iterations bring to loops whose last block ends where the next begins?",
  kind: "moves",
  options: { pattern: { kind: "text", says: "loops whose names match", byDefault: "." } },
  trial: { pattern: "^bytes" },
  sampling: () => ({ budgetMs: 0, rounds: 40, sampleUs: 200, warmUpMs: 2 }),
  *cells({ pattern }) {
    for (const [name, make] of Object.entries(LOOPS).filter(([each]) => new RegExp(pattern).test(each)))
      for (const [by, [backend, counts]] of Object.entries(BACKENDS))
        for (const count of counts)
          for (const direction of DIRECTIONS) {
            const type = lower(make(count));
            const cell = moveOn(`${name}, ${count}`, canonicalise(type), direction);
            yield { ...cell, label: { ...cell.label, backend: by }, backend, type };
          }
  },
  contenders(cell) {
    const move = (cell.direction === "pack" ? packMove : unpackMove)(withoutJoins(cell.type));
    return { joined: backendOn(cell, cell.backend), apart: backendOn({ ...cell, move }, cell.backend) };
  },
};

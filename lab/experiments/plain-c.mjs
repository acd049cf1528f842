import { nearestPackedBytes, workloadNames } from "@stowage/workloads";
import { arrayBytes, DIRECTIONS, memcpyOn, plainCOn, workloadOn, x64On } from "../parts/host.mjs";

const SIZES = [2 ** 10, 2 ** 15, 2 ** 20, 2 ** 24];
const MOST_ARRAY_BYTES = 2 ** 30;

export default {
  name: "plain-c",
  question: "How much faster is x64 than the loops in C that an application's writer would write?",
  kind: "moves",
  options: {
    pattern: { kind: "text", says: "workloads whose names match", byDefault: "." },
    rounds: { kind: "number", says: "samples", byDefault: 15 },
    most: { kind: "number", says: "packed bytes at most", byDefault: 20 * 2 ** 20 },
  },
  trial: { pattern: "^vector-1of2$", rounds: 1, most: 2 ** 15 },
  sampling: ({ rounds }) => ({ budgetMs: 0, rounds, sampleUs: 150, warmUpMs: 2 }),
  *cells({ pattern, most }, lab) {
    const leftOut = [];
    for (const name of workloadNames().filter((each) => new RegExp(pattern).test(each))) {
      // Sizes that it can have, near those wanted; its own where it is between two.
      const sizes = new Set(SIZES.map((size) => nearestPackedBytes(name, size)).filter((size) => size <= most));
      for (const size of sizes)
        if (arrayBytes(name, size) > MOST_ARRAY_BYTES) leftOut.push(`${name} at ${size} bytes packed`);
        else for (const direction of DIRECTIONS) yield workloadOn(name, size, direction);
    }
    lab.note({ leftOut });
  },
  contenders: (cell) => ({ x64: x64On(cell), "c-O3": plainCOn(cell), memcpy: memcpyOn(cell) }),
};

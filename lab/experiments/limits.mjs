import { rowsTable } from "@stowage/bench/results";
import { noteMachine } from "../parts/device.mjs";
import { jsonLines, output } from "../parts/programs.mjs";

const FLAGS = "nvcc -O3 -std=c++17 -arch=sm_90";
const program = (name) => ({ kind: "text", says: `the program that ${FLAGS} makes of lab/c/limits-${name}.cu` });

export default {
  name: "limits",
  question:
    "What bounds gathers by index, faces of a halo and copies of random pages, by kernels that do nothing else?",
  kind: "times",
  options: {
    gather: program("gather"),
    halo: program("halo"),
    pages: program("pages"),
    part: { kind: "texts", of: ["device", "short", "host"], says: "of copies of pages", byDefault: ["device"] },
  },
  trial: "a GPU, and a program that nvcc makes of lab/c/limits-*.cu",
  *cells({ part, ...given }, lab) {
    const { gather, halo, pages } = given;
    const plain = [gather, halo].filter((path) => path !== undefined).map((path) => [path]);
    const commands = [...plain, ...(pages === undefined ? [] : part.map((each) => [pages, each]))];
    if (commands.length === 0) throw new Error("limits: expected --gather, --halo or --pages, got none of them");
    noteMachine(given, lab);
    for (const [path, ...words] of commands) yield { label: { workload: path }, path, words };
  },
  contenders: () => ({}),
  run: (_, { path, words }) => ({ rows: jsonLines(output(path, words)) }),
  rows: (_, { rows }) => rows,
  text: (rows) =>
    rowsTable(
      rows.map(({ workload, contender, packedBytes, medianNs, eventNs }) => ({
        ...{ workload, contender, packedBytes },
        ...{ "wall us": medianNs / 1e3, "device us": eventNs / 1e3 },
      })),
    ),
};

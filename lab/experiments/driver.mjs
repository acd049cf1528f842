import { selfCheck } from "@stowage/cuda-driver";
import { print } from "@stowage/ptx";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onGpu } from "../parts/device.mjs";
import { copyWords, nothing } from "../parts/driver-kernels.mjs";
import { inFolder } from "../parts/in-folder.mjs";
import { inRounds } from "../parts/programs.mjs";

const routeOf = (name) => (/pinned|mapped/.test(name) ? "one-shot" : "device");

export default {
  name: "driver",
  question: "What do launches, graphs, events and copies cost from Node, beside the same calls from C?",
  kind: "moves",
  options: {
    program: { kind: "text", says: "lab/c/driver.c, by gcc -O2 -lcuda", required: true },
    rounds: { kind: "number", says: "runs of each program", byDefault: 5 },
  },
  trial: "a GPU, and the program in C",
  cells: (given, lab) =>
    inFolder("driver", (folder) =>
      onGpu(given, lab, function* ({ context }) {
        const wrong = selfCheck(context).find(({ failure }) => failure !== undefined);
        if (wrong !== undefined) throw new Error(`self-check: ${wrong.name}: ${wrong.failure}`);
        const kernels = join(folder, "kernels.ptx");
        writeFileSync(kernels, print([nothing, copyWords], { arch: context.device.architecture }));
        yield { label: { workload: "driver" }, kernels };
      }),
    ),
  contenders: () => ({}),
  run(_, { kernels }, { program, rounds }) {
    const node = fileURLToPath(new URL("../parts/driver-calls.mjs", import.meta.url));
    return { rows: inRounds({ node: [process.execPath, [node]], c: [program, [kernels]] }, rounds) };
  },
  rows: (_, { rows }) =>
    rows.map((row) => ({
      ...row,
      count: 1,
      direction: "copy",
      route: routeOf(row.workload),
      verified: true,
      commitNs: 0,
    })),
};

import { selfCheck } from "@stowage/cuda-driver";
import { print } from "@stowage/ptx";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onGpu } from "../parts/device.mjs";
import { copyWords, nothing } from "../parts/driver-kernels.mjs";
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
  *cells(given, lab) {
    yield* onGpu(given, lab, function* ({ context }) {
      const wrong = selfCheck(context).find(({ failure }) => failure !== undefined);
      if (wrong !== undefined) throw new Error(`self-check: ${wrong.name}: ${wrong.failure}`);
      yield { label: { workload: "driver" }, ptx: print([nothing, copyWords], { arch: context.device.architecture }) };
    });
  },
  contenders: () => ({}),
  run(_, { ptx }, { program, rounds }) {
    const folder = mkdtempSync(join(tmpdir(), "stowage-driver-"));
    try {
      writeFileSync(join(folder, "kernels.ptx"), ptx);
      const node = fileURLToPath(new URL("../parts/driver-calls.mjs", import.meta.url));
      return {
        rows: inRounds({ node: [process.execPath, [node]], c: [program, [join(folder, "kernels.ptx")]] }, rounds),
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
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

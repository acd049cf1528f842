import { undescribedTarget, X64Backend } from "@stowage/backend-x64";
import { workloadNames } from "@stowage/workloads";
import { readFileSync } from "node:fs";
import { backendOn, DIRECTIONS, plainCOn, workloadOn, x64On } from "../parts/host.mjs";

export default {
  name: "withheld",
  question: "How much of a processor's description does calibration find by itself, beside plain C?",
  kind: "moves",
  options: {
    profile: { kind: "text", says: "by `stowage calibrate --withhold-description --out`", required: true },
    sizes: { kind: "bytes", says: "packed bytes, several", byDefault: [2 ** 14, 2 ** 20] },
    pattern: { kind: "text", says: "workloads whose names match", byDefault: "^(FFT2|LAMMPS|MILC|NAS|SPECFEM|WRF)" },
  },
  trial: { sizes: [2 ** 14], pattern: "^MILC_su3_zdown/0$" },
  sampling: () => ({ budgetMs: 0, rounds: 9, sampleUs: 150, warmUpMs: 2 }),
  *cells({ profile, sizes, pattern }) {
    const target = undescribedTarget();
    const known = profile === undefined ? undefined : JSON.parse(readFileSync(profile, "utf8"));
    const backends = {
      undescribed: new X64Backend({ target }),
      calibrated: new X64Backend({ target, ...(known === undefined ? {} : { profile: () => known }) }),
    };
    for (const name of workloadNames().filter((each) => new RegExp(pattern).test(each)))
      for (const size of sizes)
        for (const direction of DIRECTIONS) yield { ...workloadOn(name, size, direction), backends };
  },
  contenders: (cell) => ({
    described: x64On(cell),
    "c-O3": plainCOn(cell),
    ...Object.fromEntries(Object.entries(cell.backends).map(([who, backend]) => [who, backendOn(cell, backend)])),
  }),
};

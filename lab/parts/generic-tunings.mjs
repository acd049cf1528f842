// Tunings of cuda-generic that are compared, by what their contenders' names end with.
import { CudaGenericBackend, paperTuning } from "@stowage/backend-cuda-generic";

export const TIERS = { "": {}, "/specialised": { tier: "specialised" } };

/** The kernel as the paper has it: a thread moves one primitive of so many bytes. */
export const paper = (primitiveBytes) => ({ [`/paper-${primitiveBytes}B`]: paperTuning(primitiveBytes) });

export const VARIANTS = {
  ...TIERS,
  "/u1": { unroll: 1 },
  "/u2": { unroll: 2 },
  "/u4": { unroll: 4 },
  "/u8": { unroll: 8 },
  "/t128": { threads: 128 },
  "/t256": { threads: 256 },
  "/t512": { threads: 512 },
  "/parameters": { planSpace: "parameters" },
  "/memory": { planSpace: "memory" },
  "/pass-l1": { hints: { bypassL1: true, storeOperator: "wb" } },
  "/specialised-u4": { tier: "specialised", unroll: 4 },
  "/specialised-u8": { tier: "specialised", unroll: 8 },
  ...paper(8),
  ...paper(4),
  ...paper(1),
};

/** A backend a tuning. */
export const backendsIn = (driver, tunings) =>
  Object.entries(tunings).map(
    ([label, tuning]) => new CudaGenericBackend({ driver, tuning, name: `cuda-generic${label}` }),
  );

import { paperTuning } from "@stowage/backend-cuda-generic";

/** The kernel as the paper has it, one primitive a thread. */
const paperLabel = (primitiveBytes) => `/paper-${primitiveBytes}B`;

/** Both tiers, and what else --variants measures, by the end of the contender's name. */
export const TIERS = { "": {}, "/specialised": { tier: "specialised" } };

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
  [paperLabel(8)]: paperTuning(8),
  [paperLabel(4)]: paperTuning(4),
  [paperLabel(1)]: paperTuning(1),
};

/** Tunings given as --tuning NAME={"threads":256}, or the variants, or both tiers. */
export function tuningsOf(args) {
  const own = args.filter((arg) => arg.startsWith("--tuning=")).map((arg) => arg.slice("--tuning=".length));
  if (own.length === 0) return args.includes("--variants") ? VARIANTS : TIERS;
  return Object.fromEntries(
    own.map((text) => [`/${text.slice(0, text.indexOf("="))}`, JSON.parse(text.slice(text.indexOf("=") + 1))]),
  );
}

/** The paper's tuning for primitives of so many bytes, by its label. */
export const paperOf = (primitiveBytes) => [paperLabel(primitiveBytes), paperTuning(primitiveBytes)];

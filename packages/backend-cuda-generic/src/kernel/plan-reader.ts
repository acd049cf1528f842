import type { Builder, Value } from "@stowage/ptx";
import type { PlanSpace } from "./plan-block.js";

/** Reads fields of the plan block, from wherever it lies. */
export interface PlanReader {
  u32(index: Value, field: number): Value;
  u64(index: Value, field: number): Value;
}

/** A `plan` parameter: the bytes themselves, or their address in device memory. */
export function planReader(k: Builder, space: PlanSpace, plan: Value | undefined, planBytes: number): PlanReader {
  if (space === "parameters" || plan === undefined) return fromParameters(k);
  if (space === "memory") return fromMemory(k, plan);
  copyToShared(k, plan, planBytes);
  return fromShared(k);
}

const fromParameters = (k: Builder): PlanReader => ({
  u32: (index, offsetBytes) => k.loadParameter("plan", { bits: 32, index, offsetBytes })[0] as Value,
  u64: (index, offsetBytes) => k.loadParameter("plan", { bits: 64, index, offsetBytes })[0] as Value,
});

const fromMemory = (k: Builder, plan: Value): PlanReader => ({
  u32: (index, offsetBytes) => k.load("global", plan.add(index.to("u64")), { bits: 32, offsetBytes }),
  u64: (index, offsetBytes) => k.load("global", plan.add(index.to("u64")), { bits: 64, offsetBytes }),
});

const fromShared = (k: Builder): PlanReader => ({
  u32: (index, offsetBytes) => k.load("shared", index, { bits: 32, offsetBytes }),
  u64: (index, offsetBytes) => k.load("shared", index, { bits: 64, offsetBytes }),
});

/** The paper's way (section 3.2): a block loads the fixed-length parameters once, together. */
function copyToShared(k: Builder, plan: Value, planBytes: number): void {
  const at = k.variable("u32", k.special("tid.x").shl(4));
  k.while(
    () => at.lt(planBytes),
    () => {
      const words = k.loadVector("global", plan.add(at.to("u64")), { bits: 64, lanes: 2 });
      k.store("shared", at, words, { bits: 64 });
      at.set(at.add(k.special("ntid.x").shl(4)));
    },
  );
  k.barrier();
}

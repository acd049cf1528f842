import type { Builder, Value } from "@stowage/ptx";
import type { PlanSpace } from "./plan-block.js";

/** Reads fields of the plan block, from wherever it lies. */
export interface PlanReader {
  u32(index: Value, field: number): Value;
  u64(index: Value, field: number): Value;
}

/** A `plan` parameter: the bytes themselves, or their address in device memory. */
export function planReader(k: Builder, space: PlanSpace, plan: Value | undefined, planBytes: number): PlanReader {
  if (space === "inPlace") return fromParameters(k);
  if (space === "memory" && plan !== undefined) return fromMemory(k, plan);
  copyToShared(k, planBytes, (at) =>
    plan === undefined
      ? k.loadParameter("plan", { bits: 64, lanes: 2, index: at })
      : k.loadVector("global", plan.add(at.to("u64")), { bits: 64, lanes: 2 }),
  );
  return fromShared(k);
}

const fromParameters = (k: Builder): PlanReader => ({
  u32: (index, offsetBytes) => k.loadParameter("plan", { bits: 32, ...placed(index, offsetBytes) })[0] as Value,
  u64: (index, offsetBytes) => k.loadParameter("plan", { bits: 64, ...placed(index, offsetBytes) })[0] as Value,
});

/** A constant index is part of the instruction. */
function placed(index: Value, offsetBytes: number) {
  const { operand } = index;
  return operand.kind === "immediate" ? { offsetBytes: offsetBytes + Number(operand.literal) } : { index, offsetBytes };
}

const fromMemory = (k: Builder, plan: Value): PlanReader => ({
  u32: (index, offsetBytes) => k.load("global", plan.add(index.to("u64")), { bits: 32, offsetBytes }),
  u64: (index, offsetBytes) => k.load("global", plan.add(index.to("u64")), { bits: 64, offsetBytes }),
});

const fromShared = (k: Builder): PlanReader => ({
  u32: (index, offsetBytes) => k.load("shared", index, { bits: 32, offsetBytes }),
  u64: (index, offsetBytes) => k.load("shared", index, { bits: 64, offsetBytes }),
});

/** The paper's way (section 3.2): a block loads the fixed-length parameters once, together. */
function copyToShared(k: Builder, planBytes: number, load: (at: Value) => readonly Value[]): void {
  const at = k.variable("u32", k.special("tid.x").shl(4));
  k.while(
    () => at.lt(planBytes),
    () => {
      k.store("shared", at, load(at), { bits: 64 });
      at.set(at.add(k.special("ntid.x").shl(4)));
    },
  );
  k.barrier();
}

import type { Builder, Value } from "@stowage/ptx";
import type { PlanSpace } from "./plan-block.js";

/** Reads fields of the plan block, from wherever it lies. */
export interface PlanReader {
  u32(index: Value, field: number): Value;
  u64(index: Value, field: number): Value;
}

/** Bytes in device memory: their address and their number, a multiple of 16. */
export interface PlanPlace {
  readonly plan: Value;
  readonly bytes: Value;
}

/** Reads what lies in device memory, there or from a copy in shared memory. */
export function deviceReader(k: Builder, space: Exclude<PlanSpace, "parameters">, place: PlanPlace): PlanReader {
  if (space === "memory") return fromMemory(k, place.plan);
  copyToShared(k, place);
  return fromShared(k);
}

/** Reads bytes that are a parameter themselves. */
export const parameterReader = (k: Builder, name: string): PlanReader => ({
  u32: (index, offsetBytes) => k.loadParameter(name, { bits: 32, ...placed(index, offsetBytes) })[0] as Value,
  u64: (index, offsetBytes) => k.loadParameter(name, { bits: 64, ...placed(index, offsetBytes) })[0] as Value,
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

/** Pieces of 16 bytes that a thread has in flight at a time. */
const COPIED_AT_ONCE = 4;

/** The paper's way (section 3.2): a block loads the fixed-length parameters once, together. */
function copyToShared(k: Builder, { plan, bytes }: PlanPlace): void {
  const stride = k.special("ntid.x").shl(4);
  const at = k.variable("u32", k.special("tid.x").shl(4));
  const last = bytes.sub(16);
  k.while(
    () => at.lt(bytes),
    () => {
      const places = [at.add(0)];
      while (places.length < COPIED_AT_ONCE) places.push((places.at(-1) as Value).add(stride));
      // Threads past the end read the last piece again, so that no branch parts the loads; they store nothing.
      const pieces = places.map((place) =>
        k.loadVector("global", plan.add(place.min(last).to("u64")), { bits: 64, lanes: 2 }),
      );
      places.forEach((place, i) =>
        k.if(place.lt(bytes), () => k.store("shared", place, pieces[i] as Value[], { bits: 64 })),
      );
      at.set((places.at(-1) as Value).add(stride));
    },
  );
  k.barrier();
}

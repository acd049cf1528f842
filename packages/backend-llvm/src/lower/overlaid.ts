import type { FunctionWriter } from "./function-writer.js";
import type { NodeWriter, Spot } from "./node-writer.js";

const LANE_BYTES = 4;

/**
 * The register that holds a block of so many bytes which no power of two is: one load under a mask and one store take
 * the place of two of each. Packing only, where the bytes behind the block are written next; 0: there is none.
 */
export function overlaidBytes({ facts, module }: NodeWriter, bytes: number): number {
  const { masksLanes, vectorBytes } = module.processor;
  const isApt = masksLanes && facts.direction === "pack" && bytes > 2 * LANE_BYTES && bytes % LANE_BYTES === 0;
  if (!isApt || Number.isInteger(Math.log2(bytes))) return 0;
  const register = 2 ** Math.ceil(Math.log2(bytes));
  return register <= vectorBytes ? register : 0;
}

/** Packs one block by way of such a register. */
export function packOverlaid(
  f: FunctionWriter,
  { module }: NodeWriter,
  bytes: number,
  register: number,
  spot: Spot,
): void {
  const lanes = register / LANE_BYTES;
  const type = `<${lanes} x i32>`;
  const intrinsic = `@llvm.masked.load.v${lanes}i32.p0`;
  module.declare(`declare ${type} ${intrinsic}(ptr, i32 immarg, <${lanes} x i1>, ${type})`);
  const mask = Array.from({ length: lanes }, (_, i) => `i1 ${i < bytes / LANE_BYTES ? 1 : 0}`).join(", ");
  const loaded = f.value(
    `call ${type} ${intrinsic}(ptr ${spot.scattered}, i32 1, <${lanes} x i1> <${mask}>, ${type} zeroinitializer)`,
  );
  f.do(`store ${type} ${loaded}, ptr ${spot.packed}, align 1`);
}

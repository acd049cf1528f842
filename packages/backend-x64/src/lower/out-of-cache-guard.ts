import { general, type Label, type Register } from "@stowage/asm-x64";
import { LINE_BYTES } from "../loops/facts/cache.js";
import type { OutOfCache } from "../loops/plans.js";
import type { Emitter } from "./emitter.js";

/** What must divide the target's address of a loop's first child, where earlier children do not guarantee it. */
export function alignmentOfChildren(outOfCache: OutOfCache): number {
  if (outOfCache.what === "columns") return LINE_BYTES;
  return outOfCache.what === "runs" && outOfCache.merged ? 32 : 1;
}

/** Jumps to `cached` where `amount` is below `least`, or where the target is not aligned. */
export function emitUnlessOutOfCache(
  e: Emitter,
  amount: Register,
  least: number,
  alignmentBytes: number,
  cached: Label,
): void {
  e.emit(general.cmp_rm64_imm32, amount, least);
  e.emit(general.jb_rel32, cached);
  if (alignmentBytes === 1) return;
  e.emit(general.test_rm64_imm32, e.target, alignmentBytes - 1);
  e.emit(general.jne_rel32, cached);
}

import { avx512, general, k, mem, r10, r11, r8, r9, rax, rbp, rbx, rcx, rdx, zmm } from "@stowage/asm-x64";
import { integerTable, type Blocks } from "@stowage/ir";
import { emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import { isRuns } from "./run-tables.js";
import { emitIndexed } from "./runs.js";

/** Longest run that is moved by a constant number of moves, whatever its own length. No code reads further behind a block. */
export const LONGEST_BYTES = 128;
/** Bytes moved in vain at most, for each byte of a run on average. */
const MOST_WASTE = 4;
const MASKED_BYTES = 64;

/**
 * Runs of varying length, each by the same number of moves, so that no branch depends on a length. Packing lets each
 * run overwrite what the one before wrote too much; masks, where there are any, move exactly the run's bytes.
 */
export interface FixedSteps {
  readonly masked: boolean;
  /** Bytes that the moves of a run reach over. */
  readonly stepBytes: number;
  /** Runs from the first on that may be moved so: of what is read no byte lies outside the node's. */
  readonly runs: number;
}

/** undefined: long runs, ones too unlike in length, or, where no masks are, unpacking. */
export function fixedStepsOf(e: Emitter, node: Blocks): FixedSteps | undefined {
  const { blocklengths, child } = node;
  if (blocklengths === 1 || !isRuns(node)) return undefined;
  let longest = 0;
  for (const length of blocklengths) longest = Math.max(longest, length * child.sizeBytes);
  const stepBytes = Math.ceil(longest / e.isa.widest) * e.isa.widest;
  if (stepBytes > LONGEST_BYTES || stepBytes * blocklengths.length > MOST_WASTE * node.sizeBytes) return undefined;
  const runs = e.direction === "pack" ? runsInside(node, stepBytes) : 0;
  // One displacement near the end of the extent that comes early would leave little to gain.
  if (runs * 2 >= blocklengths.length) return { masked: false, stepBytes, runs };
  return e.masks && e.tuning.maskedRuns ? { masked: true, stepBytes, runs: blocklengths.length } : undefined;
}

/** Runs from the first on around which `stepBytes` may be read. */
function runsInside({ displacementsBytes, lowBytes, highBytes }: Blocks, stepBytes: number): number {
  let runs = 0;
  const isInside = (offset: number): boolean => offset >= lowBytes && offset + stepBytes <= highBytes;
  while (runs < displacementsBytes.length && isInside(displacementsBytes[runs] as number)) runs++;
  return runs;
}

/**
 * From run rbx on, whose packed bytes begin at r8, while a step's worth of bytes is left before r9: rbx and r8 move
 * on, and so does the packed register. Keeps the scattered register and r9.
 */
export function emitFixedSteps(e: Emitter, node: Blocks, { masked, stepBytes, runs }: FixedSteps): void {
  const displacements = e.tables.add(e.asm, node.displacementsBytes);
  const lengths = e.tables.add(e.asm, node.blocklengths === 1 ? integerTable(0, () => 0) : node.blocklengths);
  const [top, end] = [e.asm.label(), e.asm.label()];
  // The address of packed byte 0, and the last one from which a step stays inside the range.
  e.emit(general.mov_rm64_r64, rax, e.packed);
  e.emit(general.sub_rm64_r64, rax, r8);
  e.emit(general.lea, rdx, mem(rax, -stepBytes, r9));
  for (const register of [rbp, r9, rax]) e.emit(general.push_r64, register);
  emitTableAddress(e, r8, displacements);
  emitTableAddress(e, r11, lengths);
  if (masked) {
    e.set(rcx, -1);
    e.set(rbp, 0);
  }
  const unlessMore = (): void => {
    e.emit(general.cmp_rm64_imm32, rbx, runs);
    e.emit(general.jae_rel32, end);
    e.emit(general.cmp_rm64_r64, e.packed, rdx);
  };
  unlessMore();
  e.emit(general.ja_rel32, end);
  e.asm.bind(top);
  emitIndexed(e, r9, displacements, r8, rbx);
  emitIndexed(e, rax, lengths, r11, rbx);
  e.multiply(rax, node.child.sizeBytes);
  if (masked) emitMasked(e, stepBytes);
  else {
    const width = e.isa.widest;
    for (let offset = 0; offset < stepBytes; offset += width) e.transfer(width, mem(e.scattered, offset, r9), mem(e.packed, offset));
  }
  e.emit(general.add_rm64_r64, e.packed, rax);
  e.emit(general.inc_rm64, rbx);
  unlessMore();
  e.emit(general.jbe_rel32, top);
  e.asm.bind(end);
  for (const register of [rax, r9, rbp]) e.emit(general.pop_r64, register);
  e.emit(general.mov_rm64_r64, r8, e.packed);
  e.emit(general.sub_rm64_r64, r8, rax);
}

/** rax bytes; rcx = -1, rbp = 0. Intel SDM volume 2, BZHI: 64 and more keep every bit. */
function emitMasked(e: Emitter, stepBytes: number): void {
  const steps = Array.from({ length: stepBytes / MASKED_BYTES }, (_, i) => i * MASKED_BYTES);
  const [from, to] = e.direction === "pack" ? [e.scattered, e.packed] : [e.packed, e.scattered];
  const sideAt = (side: typeof from, offset: number) => (side === e.scattered ? mem(side, offset, r9) : mem(side, offset));
  for (const offset of steps) {
    if (offset === 0) e.emit(general.bzhi_r64_rm64_r64, r10, rcx, rax);
    else {
      e.emit(general.lea, r10, mem(rax, -offset));
      e.emit(general.cmp_rm64_imm8, rax, offset);
      e.emit(general.cmovb_r64_rm64, r10, rbp);
      e.emit(general.bzhi_r64_rm64_r64, r10, rcx, r10);
    }
    e.emit(avx512.kmovq_k_r64, k(7), r10);
    const register = zmm(offset / MASKED_BYTES);
    e.asm.emit(avx512.vmovdqu8_zmm_load, [register, sideAt(from, offset)], { mask: k(7), zeroing: true });
    e.asm.emit(avx512.vmovdqu8_zmm_store, [sideAt(to, offset), register], { mask: k(7) });
  }
}

import { general, mem, r12, r13, r14, r15, r8, rbp, rbx, rcx, rdi, rdx, rsi, rsp, type Label } from "@stowage/asm-x64";
import type { Emitter } from "../lower/emitter.js";
import { PAGE_BYTES } from "../page.js";
import type { CopyPlan } from "./copy-plan.js";

/** The programs of both halves, each of the artifact's own signature. */
export interface HalfPrograms {
  readonly pack: Label;
  readonly unpack: Label;
}

/**
 * The routine that moves bytes [r13, r14) of the packed stream, r13 < r14, a buffer on the stack at a time, for layouts
 * that do not pair: packed from the source at rbx, unpacked to the target at rbp, of r12 elements. Leaves r13 = r14;
 * keeps rbx, rbp, r12, r14.
 */
export function emitThroughBuffer(
  e: Emitter,
  { pack, unpack }: HalfPrograms,
  { bufferBytes, stepBytes }: Pick<CopyPlan, "bufferBytes" | "stepBytes">,
): void {
  // Page by page, so that a stack that ends here ends at its guard page.
  for (let page = 0; page < bufferBytes; page += PAGE_BYTES) {
    e.emit(general.sub_rm64_imm32, rsp, PAGE_BYTES);
    e.emit(general.mov_rm64_r64, mem(rsp), r13);
  }
  const top = e.asm.here();
  e.emit(general.mov_rm64_r64, r15, r14);
  e.emit(general.sub_rm64_r64, r15, r13);
  e.set(rcx, stepBytes);
  e.emit(general.cmp_rm64_r64, r15, rcx);
  e.emit(general.cmova_r64_rm64, r15, rcx);
  e.emit(general.mov_rm64_r64, rdi, rbx);
  e.emit(general.mov_rm64_r64, rsi, rsp);
  e.emit(general.sub_rm64_r64, rsi, r13);
  emitHalf(e, pack);
  e.emit(general.mov_rm64_r64, rdi, rsp);
  e.emit(general.sub_rm64_r64, rdi, r13);
  e.emit(general.mov_rm64_r64, rsi, rbp);
  emitHalf(e, unpack);
  e.emit(general.add_rm64_r64, r13, r15);
  e.emit(general.cmp_rm64_r64, r13, r14);
  e.emit(general.jb_rel32, top);
  e.addTo(rsp, bufferBytes);
  e.emit(general.ret);
}

function emitHalf(e: Emitter, half: Label): void {
  e.emit(general.mov_rm64_r64, rdx, r12);
  e.emit(general.mov_rm64_r64, rcx, r13);
  e.emit(general.mov_rm64_r64, r8, r15);
  e.emit(general.call_rel32, half);
}

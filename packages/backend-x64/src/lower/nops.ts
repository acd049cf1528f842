import { Assembler, general, rax, type Fragment } from "@stowage/asm-x64";
import type { Emitter } from "./emitter.js";

/** NOP padding, copied: a round has hundreds of instructions of it, which would be most of a commit's time. */
export function emitNops(e: Emitter, count: number): void {
  if (count > 0) e.asm.splice(e.assembly.session.nops(count, assembleNops));
}

function assembleNops(count: number): Fragment {
  const assembler = new Assembler({ listing: true });
  for (let i = 0; i < count; i++) assembler.emit(general.test_rm64_r64, [rax, rax]);
  return { code: assembler.finish(), assembler };
}

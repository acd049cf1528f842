import { Assembler, general, mem, r32d, rax, rbx, rcx, rdi, rdx, rsi, r8, type Register } from "@stowage/asm-x64";
import type { Cpuid } from "../targets/cpuid.js";
import type { CodeArena } from "./executable.js";
import { functionAt } from "./function-at.js";

/** The instructions that tell what a processor is. */
export interface ProcessorCode {
  readonly cpuid: Cpuid;
  /** The registers that the system saves: xcr0; only where cpuid(1).ecx has OSXSAVE. */
  readonly xcr0: () => number;
}

/** Calls `use` with them; their code is gone when it returns. */
export function withProcessorCode<T>(arena: CodeArena, use: (code: ProcessorCode) => T): T {
  const codes = [arena.add(cpuidCode()), arena.add(xgetbvCode())] as const;
  try {
    const words = new Uint32Array(4);
    const [leaf, xcr0] = [
      functionAt<(leaf: number, subleaf: number, words: Uint32Array) => void>(
        codes[0].address,
        "void stowage_x64_cpuid(uint32_t leaf, uint32_t subleaf, _Out_ uint32_t *words)",
      ),
      functionAt<() => number>(codes[1].address, "uint32_t stowage_x64_xgetbv()"),
    ];
    const cpuid: Cpuid = (number, subleaf) => {
      leaf(number, subleaf, words);
      const [eax = 0, ebx = 0, ecx = 0, edx = 0] = words;
      return { eax, ebx, ecx, edx };
    };
    return use({ cpuid, xcr0 });
  } finally {
    for (const code of codes) code.release();
  }
}

/** void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t words[4]): eax, ebx, ecx and edx. */
function cpuidCode(): Uint8Array {
  const asm = new Assembler();
  const store = (word: number, from: Register): void =>
    asm.emit(general.mov_rm32_r32, [mem(r8, word * 4), r32d(from.number)]);
  asm.emit(general.push_r64, [rbx]);
  asm.emit(general.mov_rm64_r64, [r8, rdx]);
  asm.emit(general.mov_rm64_r64, [rax, rdi]);
  asm.emit(general.mov_rm64_r64, [rcx, rsi]);
  asm.emit(general.cpuid, []);
  [rax, rbx, rcx, rdx].forEach((register, word) => store(word, register));
  asm.emit(general.pop_r64, [rbx]);
  asm.emit(general.ret, []);
  return asm.finish();
}

/** uint32_t xgetbv(): the low half of xcr0. */
function xgetbvCode(): Uint8Array {
  const asm = new Assembler();
  asm.emit(general.mov_rm64_imm32, [rcx, 0]);
  asm.emit(general.xgetbv, []);
  asm.emit(general.ret, []);
  return asm.finish();
}

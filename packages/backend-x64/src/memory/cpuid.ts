import { Assembler, general, mem, r32d, r8, rax, rbx, rcx, rdi, rdx, rsi } from "@stowage/asm-x64";
import type { ReadCpuid } from "../targets/read-geometry.js";
import type { CodeArena } from "./executable.js";
import { functionAt } from "./function-at.js";

/** What the processor says of itself. */
export interface Cpuid extends Disposable {
  readonly read: ReadCpuid;
  /** The low word of XCR0: registers that the system saves. Only where cpuid(1) says that the system uses XSAVE. */
  readonly savedRegisters: () => number;
}

type Ask = (leaf: number, subleaf: number, words: Uint32Array) => void;

/** Leaves of Intel's and AMD's numbers begin at 0 and at this one; the first of each says how many there are. */
const EXTENDED = 0x80000000;

export function openCpuid(arena: CodeArena): Cpuid {
  const [cpuid, xgetbv] = [arena.add(cpuidCode()), arena.add(xgetbvCode())];
  const ask = functionAt<Ask>(
    cpuid.address,
    "void stowage_x64_cpuid(uint32_t leaf, uint32_t subleaf, _Out_ uint32_t *words)",
  );
  const words = new Uint32Array(4);
  const wordsOf: ReadCpuid = (leaf, subleaf) => {
    ask(leaf, subleaf, words);
    const [a = 0, b = 0, c = 0, d = 0] = words;
    return [a, b, c, d];
  };
  const [[most], [mostExtended]] = [wordsOf(0, 0), wordsOf(EXTENDED, 0)];
  return {
    read: (leaf, subleaf) =>
      leaf <= (leaf >>> 31 === 0 ? most : mostExtended) ? wordsOf(leaf, subleaf) : [0, 0, 0, 0],
    savedRegisters: functionAt<() => number>(xgetbv.address, "uint32_t stowage_x64_xgetbv()"),
    [Symbol.dispose]() {
      cpuid.release();
      xgetbv.release();
    },
  };
}

/** (uint32_t leaf, uint32_t subleaf, uint32_t words[4]) behind the C signature of System V AMD64. */
function cpuidCode(): Uint8Array {
  const asm = new Assembler();
  const emit = (...args: Parameters<Assembler["emit"]>): void => asm.emit(...args);
  emit(general.push_r64, [rbx]);
  emit(general.mov_rm64_r64, [r8, rdx]);
  emit(general.mov_rm64_r64, [rax, rdi]);
  emit(general.mov_rm64_r64, [rcx, rsi]);
  emit(general.cpuid);
  [rax, rbx, rcx, rdx].forEach((register, i) => emit(general.mov_rm32_r32, [mem(r8, i * 4), r32d(register.number)]));
  emit(general.pop_r64, [rbx]);
  emit(general.ret);
  return asm.finish();
}

function xgetbvCode(): Uint8Array {
  const asm = new Assembler();
  asm.emit(general.mov_rm64_imm32, [rcx, 0]);
  asm.emit(general.xgetbv);
  asm.emit(general.ret);
  return asm.finish();
}

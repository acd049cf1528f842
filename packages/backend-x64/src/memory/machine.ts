import { Assembler, general, mem, r32d, rax, rbx, rcx, rdi, rdx, r8, type Register } from "@stowage/asm-x64";
import { packMove } from "@stowage/backend-api";
import { denseLayout } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import { program } from "../lower/program.js";
import { MoveCode } from "../move-code.js";
import { DEFAULT_TUNING } from "../options.js";
import type { Processor } from "../targets/target.js";
import { PoolCode } from "../threads/pool-code.js";
import { CodeArena } from "./executable.js";
import { functionAt } from "./function-at.js";
import { Launcher } from "./launcher.js";

/** What this process can do: code of ours that every plan goes through. */
export interface Machine {
  readonly level: FeatureLevel;
  readonly processor: Processor;
  /** What calls code of ours. */
  readonly launcher: Launcher;
  /** Where code of ours goes. */
  readonly arena: CodeArena;
  /** Copies a run of bytes; written when it is first asked for. */
  readonly copy: MoveCode;
  /** What native threads run; made when it is first asked for. */
  readonly poolCode: () => PoolCode;
}

export type MachineOrReason = { readonly machine: Machine } | { readonly reason: string };

let probed: MachineOrReason | undefined;

/** The machine under this process, or why it cannot run code of ours; found once. */
export function probeMachine(): MachineOrReason {
  probed ??= probe();
  return probed;
}

function probe(): MachineOrReason {
  if (process.arch !== "x64") return { reason: `it needs an x86-64 processor, this one is ${process.arch}` };
  if (process.platform !== "linux") return { reason: `it needs Linux, this system is ${process.platform}` };
  try {
    const arena = new CodeArena();
    const launcher = new Launcher(arena);
    const { level, processor } = probeProcessor(arena);
    const copy = new MoveCode(() => arena.add(program(packMove(denseLayout(1)), level, DEFAULT_TUNING).code).address);
    let pool: PoolCode | undefined;
    return {
      machine: { level, processor, launcher, arena, copy, poolCode: () => (pool ??= new PoolCode(arena)) },
    };
  } catch (error) {
    return {
      reason: `the system refuses executable memory: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** Where probeCode writes the twelve letters of the vendor's name, and behind them cpuid(1).eax. */
const VENDOR_WORD = 5;
const FAMILY_WORD = 8;

function probeProcessor(arena: CodeArena): Pick<Machine, "level" | "processor"> {
  const code = arena.add(probeCode());
  try {
    const words = new Uint32Array(FAMILY_WORD + 1);
    functionAt<(words: Uint32Array) => number>(code.address, "int stowage_x64_probe(_Out_ uint32_t *words)")(words);
    const vendor = new TextDecoder().decode(words.subarray(VENDOR_WORD, FAMILY_WORD));
    return { level: levelOf(words), processor: { vendor, ...signatureOf(words[FAMILY_WORD] ?? 0) } };
  } finally {
    code.release();
  }
}

/** AMD's manual, volume 3, appendix E.3.2; Intel's, volume 2, CPUID. */
const signatureOf = (signature: number): Pick<Processor, "family" | "model"> => ({
  family: ((signature >>> 8) & 15) + ((signature >>> 20) & 255),
  model: ((signature >>> 4) & 15) + ((signature >>> 12) & 0xf0),
});

const bit = (word: number | undefined, position: number): boolean => (((word ?? 0) >>> position) & 1) === 1;

/**
 * words: cpuid(1).ecx, cpuid(7).ebx, cpuid(7).ecx, xcr0, largest leaf, vendor. Intel SDM volume 1, sections 14.3 (AVX),
 * 15.2 (AVX-512): a processor's feature counts only where the system saves the registers.
 */
function levelOf(words: Uint32Array): FeatureLevel {
  const [ecx1, ebx7, ecx7, xcr0 = 0] = words;
  const ymmSaved = bit(ecx1, 27) && (xcr0 & 6) === 6;
  const zmmSaved = ymmSaved && (xcr0 & 0xe6) === 0xe6;
  const avx2 = ymmSaved && bit(ecx1, 28) && bit(ebx7, 5) && bit(ebx7, 8);
  // F, DQ, BW, VL and VBMI.
  const avx512 = avx2 && zmmSaved && bit(ebx7, 16) && bit(ebx7, 17) && bit(ebx7, 30) && bit(ebx7, 31) && bit(ecx7, 1);
  return avx512 ? "avx512" : avx2 ? "avx2" : "sse2";
}

/** cpuid and xgetbv, which write eax to edx, behind one C signature: (uint32_t words[9]). */
function probeCode(): Uint8Array {
  const asm = new Assembler();
  const emit = (...args: Parameters<Assembler["emit"]>): void => asm.emit(...args);
  const none = asm.label();
  const store = (word: number, from: Register): void =>
    emit(general.mov_rm32_r32, [mem(r8, word * 4), r32d(from.number)]);
  emit(general.push_r64, [rbx]);
  emit(general.mov_rm64_r64, [r8, rdi]);
  leaf(asm, 0);
  store(4, rax);
  // The letters come in this order.
  [rbx, rdx, rcx].forEach((register, i) => store(VENDOR_WORD + i, register));
  leaf(asm, 1);
  store(0, rcx);
  store(FAMILY_WORD, rax);
  emit(general.test_rm64_imm32, [rcx, 1 << 27]);
  emit(general.je_rel32, [none]);
  emit(general.mov_rm64_imm32, [rcx, 0]);
  emit(general.xgetbv);
  store(3, rax);
  leaf(asm, 7);
  store(1, rbx);
  store(2, rcx);
  asm.bind(none);
  emit(general.pop_r64, [rbx]);
  emit(general.ret);
  return asm.finish();
}

function leaf(asm: Assembler, number: number): void {
  asm.emit(general.mov_rm64_imm32, [rax, number]);
  asm.emit(general.mov_rm64_imm32, [rcx, 0]);
  asm.emit(general.cpuid);
}

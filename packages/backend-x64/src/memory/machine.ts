import { packMove } from "@stowage/backend-api";
import { denseLayout } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import { program } from "../lower/program.js";
import { MoveCode } from "../move-code.js";
import { DEFAULT_TUNING } from "../options.js";
import type { Registers } from "../targets/cpuid.js";
import { readGeometry } from "../targets/read-geometry.js";
import type { CpuidProcessor, Processor } from "../targets/target.js";
import { PoolCode } from "../threads/pool-code.js";
import { CodeArena } from "./executable.js";
import { Launcher } from "./launcher.js";
import { withProcessorCode, type ProcessorCode } from "./processor-code.js";

/** What this process can do: code of ours that every plan goes through. */
export interface Machine {
  readonly level: FeatureLevel;
  readonly processor: CpuidProcessor;
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
    const { level, processor } = withProcessorCode(arena, processorOf);
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

function processorOf({ cpuid, xcr0 }: ProcessorCode): Pick<Machine, "level" | "processor"> {
  const vendor = cpuid(0, 0);
  const [signature, features] = [cpuid(1, 0), cpuid(7, 0)];
  // The letters come in this order.
  const letters = new Uint8Array(Uint32Array.of(vendor.ebx, vendor.edx, vendor.ecx).buffer);
  return {
    level: levelOf(signature.ecx, features, xcr0),
    processor: {
      vendor: new TextDecoder().decode(letters),
      ...signatureOf(signature.eax),
      geometry: readGeometry(cpuid),
    },
  };
}

/** AMD's manual, volume 3, appendix E.3.2; Intel's, volume 2, CPUID. */
const signatureOf = (signature: number): Pick<Processor, "family" | "model"> => ({
  family: ((signature >>> 8) & 15) + ((signature >>> 20) & 255),
  model: ((signature >>> 4) & 15) + ((signature >>> 12) & 0xf0),
});

const bit = (word: number, position: number): boolean => ((word >>> position) & 1) === 1;

/**
 * By cpuid(1).ecx, cpuid(7) and xcr0. Intel SDM volume 1, sections 14.3 (AVX), 15.2 (AVX-512): a processor's feature counts only
 * where the system saves the registers.
 */
function levelOf(ecx1: number, { ebx: ebx7, ecx: ecx7 }: Registers, xcr0: () => number): FeatureLevel {
  const saved = bit(ecx1, 27) ? xcr0() : 0;
  const [ymmSaved, zmmSaved] = [(saved & 6) === 6, (saved & 0xe6) === 0xe6];
  const avx2 = ymmSaved && bit(ecx1, 28) && bit(ebx7, 5) && bit(ebx7, 8);
  // F, DQ, BW, VL and VBMI.
  const avx512 = avx2 && zmmSaved && bit(ebx7, 16) && bit(ebx7, 17) && bit(ebx7, 30) && bit(ebx7, 31) && bit(ecx7, 1);
  return avx512 ? "avx512" : avx2 ? "avx2" : "sse2";
}

import { packMove } from "@stowage/backend-api";
import { MoveCode } from "@stowage/host-plans";
import { denseLayout } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import { program } from "../lower/program.js";
import { DEFAULT_TUNING } from "../options.js";
import type { Geometry } from "../targets/geometry.js";
import { geometryOf, type ReadCpuid } from "../targets/read-geometry.js";
import { targetOf } from "../targets/target-of.js";
import type { Processor } from "../targets/processor.js";
import type { Target } from "../targets/target.js";
import { PoolCode } from "../threads/pool-code.js";
import { openCpuid, type Cpuid } from "./cpuid.js";
import { CodeArena } from "./executable.js";
import { X64Launcher } from "./launcher.js";

/** What this process can do: code of ours that every plan goes through. */
export interface Machine {
  readonly level: FeatureLevel;
  readonly processor: Processor;
  /** What code is written for by default: its family's description, and what cpuid says of this one. */
  readonly target: Target;
  /** What cpuid alone says of its caches. */
  readonly stated: Partial<Geometry>;
  /** What calls code of ours. */
  readonly launcher: X64Launcher;
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
    const launcher = new X64Launcher(arena);
    const known = probeProcessor(arena);
    const copy = new MoveCode(
      () => arena.add(program(packMove(denseLayout(1)), known.level, DEFAULT_TUNING).code).address,
    );
    let pool: PoolCode | undefined;
    return {
      machine: { ...known, launcher, arena, copy, poolCode: () => (pool ??= new PoolCode(arena)) },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { reason: reason.startsWith("koffi: ") ? reason : `the system refuses executable memory: ${reason}` };
  }
}

function probeProcessor(arena: CodeArena): Pick<Machine, "level" | "processor" | "target" | "stated"> {
  using cpuid = openCpuid(arena);
  const processor = processorOf(cpuid.read);
  const stated = geometryOf(cpuid.read);
  return { level: levelOf(cpuid), processor, target: targetOf(processor, stated), stated };
}

function processorOf(read: ReadCpuid): Processor {
  // The letters come in this order.
  const [, ebx, ecx, edx] = read(0, 0);
  const vendor = new TextDecoder().decode(new Uint32Array([ebx, edx, ecx]));
  return { vendor, ...signatureOf(read(1, 0)[0]) };
}

/** AMD's manual, volume 3, appendix E.3.2; Intel's, volume 2, CPUID. */
const signatureOf = (signature: number): Pick<Processor, "family" | "model"> => ({
  family: ((signature >>> 8) & 15) + ((signature >>> 20) & 255),
  model: ((signature >>> 4) & 15) + ((signature >>> 12) & 0xf0),
});

const bit = (word: number, position: number): boolean => ((word >>> position) & 1) === 1;

/**
 * Intel SDM volume 1, sections 14.3 (AVX), 15.2 (AVX-512): a processor's feature counts only where the system saves the
 * registers.
 */
function levelOf({ read, savedRegisters }: Cpuid): FeatureLevel {
  const [, , ecx1] = read(1, 0);
  const [, ebx7, ecx7] = read(7, 0);
  const saved = bit(ecx1, 27) ? savedRegisters() : 0;
  const [ymmSaved, zmmSaved] = [(saved & 6) === 6, (saved & 0xe6) === 0xe6];
  const avx2 = ymmSaved && bit(ecx1, 28) && bit(ebx7, 5) && bit(ebx7, 8);
  // F, DQ, BW, VL and VBMI.
  const avx512 = avx2 && zmmSaved && bit(ebx7, 16) && bit(ebx7, 17) && bit(ebx7, 30) && bit(ebx7, 31) && bit(ecx7, 1);
  return avx512 ? "avx512" : avx2 ? "avx2" : "sse2";
}

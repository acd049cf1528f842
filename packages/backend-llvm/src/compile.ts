import { DeviceError, type Conditions, type Move } from "@stowage/backend-api";
import { openLlvm } from "@stowage/llvm";
import { moduleText } from "./lower/program.js";
import { isMemoryLeft } from "./memory/mapping.js";
import type { Effort } from "./options.js";
import type { Target } from "./target.js";

/**
 * LLVM ends the process where it finds no memory: what it may take of a module, at most 300 bytes a byte of text
 * (measured).
 */
const LEAST_BYTES = 64 * 2 ** 20;
const BYTES_A_BYTE_OF_TEXT = 400;

/** An object file of some moves. Throws an LlvmError, or a DeviceError where memory is short. */
export function compileObject(
  moves: readonly Move[],
  conditions: Conditions,
  target: Target,
  { level, passes }: Effort,
): Uint8Array<ArrayBuffer> {
  const text = moduleText(moves, conditions, target);
  const llvm = openLlvm();
  const wanted = LEAST_BYTES + BYTES_A_BYTE_OF_TEXT * text.length;
  if (!isMemoryLeft(wanted)) throw new DeviceError(`memory to compile in: expected ${wanted} bytes, got none`);
  using module = llvm.parse(text, "moves");
  using machine = llvm.targetMachine({ ...target, level });
  module.setTarget(machine);
  if (passes !== "") module.run(passes, machine);
  return machine.object(module);
}

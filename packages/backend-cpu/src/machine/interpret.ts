import { hostMemory, isAddressSpace, requireMemory, type Memory } from "@stowage/backend-api";
import { quoted } from "@stowage/ir";
import { DameError } from "../language/dame-error.js";
import { DameState } from "./dame-state.js";
import { HostMemory } from "./host-memory.js";
import { requireLoaded, type LoadedDame } from "./load-dame.js";
import { Mover } from "./mover.js";
import { PACKED } from "./packed-program.js";
import { RunViews } from "./run-views.js";
import { Side } from "./side.js";

/** Where in the packed stream a state begins. */
export interface StartOptions {
  /** How many elements move. Default: 1. */
  readonly count?: number;
  /**
   * The byte of the packed stream of all elements at which to begin: found in O(depth + log n), not by walking.
   * Default: 0.
   */
  readonly packedByte?: number;
  /** Bytes from the memory's start to the datatype's address 0. Default: 0. */
  readonly originBytes?: number;
}

/**
 * The state of a program before its first packed byte, or before the one that `options` names. Throws a DameError for a
 * count, byte or origin that is no safe integer of its range.
 *
 * @example
 * ```ts
 * const state = startState(loadDame(compileDame(column), column.extentBytes), { count: 2 });
 * const packed = new Uint8Array(64);
 * pack(state, matrix, packed); // 64, or less where all bytes have moved
 * ```
 */
export function startState(loaded: LoadedDame, options: StartOptions = {}): DameState {
  if (typeof options !== "object" || (options as object | null) === null)
    throw new DameError("options of a state", "an object", quoted(options));
  const { count = 1, packedByte = 0, originBytes = 0 } = options;
  const endByte = requireAtMost(count, "count of elements", Number.MAX_SAFE_INTEGER) * requireLoaded(loaded).sizeBytes;
  requireAtMost(endByte, "size of the elements in bytes", Number.MAX_SAFE_INTEGER);
  requireAtMost(packedByte, "packed byte to start at", endByte);
  if (!Number.isSafeInteger(originBytes)) throw new DameError("origin in bytes", "a safe integer", quoted(originBytes));
  const state = new DameState(loaded);
  state.seek(count, packedByte, originBytes);
  return state;
}

function requireAtMost(value: number, what: string, most: number): number {
  if (Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  throw new DameError(what, `an integer from 0 to ${most}`, quoted(value));
}

/**
 * Packs from where `state` stands, until `packed` is full or the program has ended. Moves the state on, and returns how
 * many bytes it wrote. Throws a DameError where a block lies outside the source.
 */
export function pack(state: DameState, source: Memory | ArrayBufferView, packed: ArrayBufferView): number {
  return copy(state, packedState(packed), source, packed);
}

/**
 * Unpacks from where `state` stands, until `packed` is used up or the program has ended. Moves the state on, and
 * returns how many bytes it took. Throws a DameError where a block lies outside the target.
 */
export function unpack(state: DameState, packed: ArrayBufferView, target: Memory | ArrayBufferView): number {
  return copy(packedState(packed), state, packed, target);
}

/**
 * Moves bytes from where `from` stands to where `to` stands, until either ends or `most` bytes have moved. Moves both
 * states on, and returns how many bytes moved. Throws a DameError where a block lies outside its memory.
 */
export function copy(
  from: DameState,
  to: DameState,
  source: Memory | ArrayBufferView,
  target: Memory | ArrayBufferView,
  most = Infinity,
): number {
  for (const state of [from, to]) requireState(state);
  if (typeof most !== "number" || !(most >= 0)) throw new DameError("most bytes to move", "0 or more", quoted(most));
  const lengthBytes = Math.min(most, from.endByte - from.packedByte, to.endByte - to.packedByte);
  new Mover(new Side(from, memoryOf(source)), new Side(to, memoryOf(target)), new RunViews(0)).move(lengthBytes);
  return lengthBytes;
}

function requireState(state: DameState): void {
  if (!(state instanceof DameState))
    throw new DameError("state of a program", "one that startState made", quoted(state));
}

const packedState = (packed: ArrayBufferView): DameState => startState(PACKED, { count: hostMemory(packed).sizeBytes });

function memoryOf(memory: Memory | ArrayBufferView): HostMemory {
  if (ArrayBuffer.isView(memory)) return memoryOf(hostMemory(memory));
  requireMemory(memory);
  return new HostMemory(isAddressSpace(memory) ? memory.regions : [{ startBytes: 0, buffer: memory }]);
}

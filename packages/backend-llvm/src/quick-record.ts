import {
  HostBuffer,
  isAddressSpace,
  QuickCheck,
  type Binding,
  type Conditions,
  type Memory,
  type Move,
} from "@stowage/backend-api";
import { hostAddress } from "./memory/host-address.js";

/** The addresses of the most common bindings of a move, found without a walk, an allocation or a look-up. */
export class QuickRecord {
  /** Where the datatype's address 0 lies on each side of the binding that was last accepted. */
  source = 0;
  target = 0;
  readonly #check: QuickCheck;
  readonly #sourceAlignment: number;
  readonly #targetAlignment: number;

  constructor(move: Move, conditions: Conditions) {
    this.#check = new QuickCheck(move, conditions);
    this.#sourceAlignment = conditions.sourceAlignment;
    this.#targetAlignment = conditions.targetAlignment;
  }

  /** True: the binding is right, as one record. False says nothing: checkBinding and recordsOf are to decide. */
  accepts(binding: Binding): boolean {
    if (!this.#check.passes(binding)) return false;
    const { source, target } = binding;
    const from = addressOf(source.memory);
    const to = addressOf(target.memory);
    if (mayBeOne(source.memory, from, target.memory, to)) return false;
    this.source = from + source.originBytes;
    this.target = to + target.originBytes;
    return (
      (this.#sourceAlignment === 1 || this.source % this.#sourceAlignment === 0) &&
      (this.#targetAlignment === 1 || this.target % this.#targetAlignment === 0)
    );
  }
}

/** Where a single buffer begins, which QuickCheck has found to be there. */
function addressOf(memory: Memory): number {
  if (HostBuffer.is(memory)) return memory.locate(hostAddress);
  return isAddressSpace(memory) ? 0 : (memory.address ?? 0);
}

/** Whether buffers that QuickCheck compares by different spaces share addresses all the same. */
function mayBeOne(source: Memory, from: number, target: Memory, to: number): boolean {
  if (from >= to + sizeOf(target) || to >= from + sizeOf(source)) return false;
  return !HostBuffer.is(source) || !HostBuffer.is(target) || source.store !== target.store;
}

const sizeOf = (memory: Memory): number => (isAddressSpace(memory) ? 0 : memory.sizeBytes);

import { BindingError, checkBinding, checkBindings, DisposedError, DONE, isAddressSpace, type Binding, type Completion, type Conditions, type Memory, type Move, type Plan } from "@stowage/backend-api";
import type { Machine } from "./memory/machine.js";
import { recordsOf, writeRecords, type Codes, type LaunchRecord } from "./records.js";

/** What a plan needs of its kernel. */
export interface PlanParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  /** Of each move. */
  readonly codes: readonly Codes[];
  readonly prepare: Machine["prepare"];
  /** Lets go of the code; called once. */
  readonly release: () => void;
}

/** Moves bound to memory: one call of machine code, whatever their number. */
export class X64Plan implements Plan {
  readonly #parts: PlanParts;
  readonly #bindings: Binding[];
  readonly #records: (readonly LaunchRecord[])[];
  #views: readonly Uint8Array[] = [];
  #viewBytes: readonly number[] = [];
  // Kept here: the machine code reads them.
  #words = new BigInt64Array(0);
  #launch: () => void = () => undefined;
  #disposed = false;

  /** Throws a BindingError as checkBindings does. */
  constructor(parts: PlanParts, bindings: readonly Binding[]) {
    checkBindings(parts.moves, bindings, parts.conditions);
    this.#parts = parts;
    this.#bindings = [...bindings];
    this.#records = bindings.map((binding, i) => recordsAt(parts, i, binding));
    this.#prepare();
  }

  run(): Completion {
    if (this.#disposed) throw new DisposedError("plan to run");
    const views = this.#views;
    for (let i = 0; i < views.length; i++) {
      if ((views[i] as Uint8Array).byteLength !== this.#viewBytes[i]) this.#refuse(i);
    }
    this.#launch();
    return DONE;
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan to rebind");
    checkBinding(this.#parts.moves, i, binding, this.#parts.conditions);
    const records = recordsAt(this.#parts, i, binding);
    this.#bindings[i] = binding;
    this.#records[i] = records;
    this.#prepare();
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#parts.release();
  }

  #prepare(): void {
    const records = this.#records.flat();
    this.#views = viewsOf(this.#bindings);
    this.#viewBytes = this.#views.map((view) => view.byteLength);
    this.#words = writeRecords(records);
    this.#launch = records.length === 0 ? () => undefined : this.#parts.prepare(this.#words, records.length);
  }

  #refuse(i: number): never {
    const bytes = (this.#views[i] as Uint8Array).byteLength;
    throw new BindingError("memory of a plan", `the ${this.#viewBytes[i]} bytes it was bound to`, `${bytes}: detached, or resized since`);
  }
}

const recordsAt = (parts: PlanParts, i: number, binding: Binding): readonly LaunchRecord[] =>
  recordsOf(i, parts.moves[i] as Move, binding, parts.conditions, parts.codes[i] as Codes);

/** Each view of JavaScript memory once: what may be detached between runs. */
function viewsOf(bindings: readonly Binding[]): readonly Uint8Array[] {
  const moving = bindings.filter((binding) => binding.length > 0);
  return [...new Set(moving.flatMap(({ source, target }) => [...viewsIn(source.memory), ...viewsIn(target.memory)]))];
}

function viewsIn(memory: Memory): readonly Uint8Array[] {
  const buffers = isAddressSpace(memory) ? memory.regions.map((region) => region.buffer) : [memory];
  return buffers.filter((buffer) => buffer.address === undefined).map((buffer) => buffer.bytes).filter((bytes) => bytes !== undefined);
}

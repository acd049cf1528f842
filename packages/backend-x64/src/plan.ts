import {
  BindingError,
  checkBinding,
  checkBindings,
  DisposedError,
  DONE,
  isAddressSpace,
  type Binding,
  type Completion,
  type Conditions,
  type Memory,
  type Move,
  type Plan,
} from "@stowage/backend-api";
import type { Machine } from "./memory/machine.js";
import { BYTE_MOVE, recordsOf, writeRecords, type Codes, type LaunchRecord } from "./records.js";
import type { Launch } from "./threads/cut-records.js";
import { PlanThreads, type Prepared, type Threads } from "./threads/plan-threads.js";

/** What a plan needs of its kernel. */
export interface PlanParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  /** Of each move. */
  readonly codes: readonly Codes[];
  readonly prepare: Machine["prepare"];
  /** Absent: the caller's thread alone. */
  readonly threads?: Threads;
  /** Lets go of the code; called once. */
  readonly release: () => void;
}

/** Moves bound to memory: one call of machine code, whatever their number. */
export class X64Plan implements Plan {
  readonly #parts: PlanParts;
  readonly #bindings: Binding[];
  readonly #launches: (readonly Launch[])[];
  readonly #threads: PlanThreads | undefined;
  #views: readonly Uint8Array[] = [];
  #viewBytes: readonly number[] = [];
  // Kept here: the machine code reads its words.
  #prepared: Prepared = NOTHING;
  #disposed = false;

  /** Throws a BindingError as checkBindings does. */
  constructor(parts: PlanParts, bindings: readonly Binding[]) {
    checkBindings(parts.moves, bindings, parts.conditions);
    this.#parts = parts;
    this.#bindings = [...bindings];
    this.#launches = bindings.map((binding, i) => launchesAt(parts, i, binding));
    this.#threads = parts.threads === undefined ? undefined : new PlanThreads(parts.threads);
    this.#take(this.#prepare(this.#launches));
  }

  run(): Completion {
    if (this.#disposed) throw new DisposedError("plan to run");
    const views = this.#views;
    for (let i = 0; i < views.length; i++) {
      // The length in bytes: V8 compiles length to a load, byteLength to a call of 10 ns.
      if ((views[i] as Uint8Array).length !== this.#viewBytes[i]) this.#refuse(i);
    }
    this.#prepared.run();
    return DONE;
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan to rebind");
    checkBinding(this.#parts.moves, i, binding, this.#parts.conditions);
    const launches = launchesAt(this.#parts, i, binding);
    const prepared = this.#prepare(this.#launches.with(i, launches));
    this.#bindings[i] = binding;
    this.#launches[i] = launches;
    this.#take(prepared);
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#threads?.[Symbol.dispose]();
    this.#parts.release();
  }

  #prepare(moves: readonly (readonly Launch[])[]): Prepared {
    const launches = moves.flat();
    if (launches.length === 0) return NOTHING;
    const shared = this.#threads?.prepare(launches);
    if (shared !== undefined) return shared;
    const records = this.#threads?.records(launches) ?? launches.map(({ record }) => record);
    const words = writeRecords(records);
    return { words, run: this.#parts.prepare(words, records.length) };
  }

  #take(prepared: Prepared): void {
    this.#views = viewsOf(this.#bindings);
    this.#viewBytes = this.#views.map((view) => view.length);
    this.#prepared = prepared;
  }

  #refuse(i: number): never {
    const bytes = (this.#views[i] as Uint8Array).length;
    throw new BindingError(
      "memory of a plan",
      `the ${this.#viewBytes[i]} bytes it was bound to`,
      `${bytes}: detached, or resized since`,
    );
  }
}

const NOTHING: Prepared = { words: new BigInt64Array(0), run: () => undefined };

function launchesAt(parts: PlanParts, i: number, binding: Binding): readonly Launch[] {
  const [move, codes] = [parts.moves[i] as Move, parts.codes[i] as Codes];
  const records = recordsOf(i, move, binding, parts.conditions, codes);
  return records.map((record: LaunchRecord) => ({ record, move: record[0] === codes.copy ? BYTE_MOVE : move }));
}

/** Each view of JavaScript memory once: what may be detached between runs. */
function viewsOf(bindings: readonly Binding[]): readonly Uint8Array[] {
  const moving = bindings.filter((binding) => binding.length > 0);
  return [...new Set(moving.flatMap(({ source, target }) => [...viewsIn(source.memory), ...viewsIn(target.memory)]))];
}

function viewsIn(memory: Memory): readonly Uint8Array[] {
  const buffers = isAddressSpace(memory) ? memory.regions.map((region) => region.buffer) : [memory];
  return buffers
    .filter((buffer) => buffer.address === undefined)
    .map((buffer) => buffer.bytes)
    .filter((bytes) => bytes !== undefined);
}

import {
  BindingError,
  canChangeSize,
  checkBinding,
  checkBindings,
  DisposedError,
  DONE,
  HostBuffer,
  isAddressSpace,
  type Binding,
  type Completion,
  type Conditions,
  type Memory,
  type Move,
  type Plan,
} from "@stowage/backend-api";
import { RECORD_NUMBERS } from "./memory/launch-code.js";
import type { Launcher } from "./memory/launcher.js";
import type { QuickRecord } from "./quick-record.js";
import { BYTE_MOVE, readRecord, recordsOf, writeRecords, type Codes, type LaunchRecord } from "./records.js";
import type { Launch } from "./threads/cut-records.js";
import { aloneBelowBytes, PlanThreads, type Threads } from "./threads/plan-threads.js";
import { koffi } from "./memory/native.js";

/** What a plan needs of its kernel. */
export interface PlanParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  /** Of each move. */
  readonly codes: readonly Codes[];
  readonly quickRecords: readonly QuickRecord[];
  readonly launcher: Launcher;
  /** Absent: the caller's thread alone. */
  readonly threads?: Threads;
  /** Lets go of the code; called once. */
  readonly release: () => void;
}

/** What one move is bound to: its records, and the views of JavaScript's memory that they lie in. */
interface Bound {
  readonly launches: readonly Launch[];
  readonly views: readonly Uint8Array[];
  /** Whether a view is of memory that can change its size. */
  readonly canChange: boolean;
}

/** Views of a move between two single buffers: one a side. */
const VIEWS = 2;

/** Moves bound to memory: one call of machine code, whatever their number. */
export class X64Plan implements Plan {
  readonly #parts: PlanParts;
  readonly #threads: PlanThreads | undefined;
  #bound: readonly Bound[] = [];
  /** The records that this thread runs, as the machine code reads them. */
  #numbers = new Float64Array(0);
  #numbersAddress = 0;
  #count = 0;
  /** The same among threads, where they are long enough. */
  #shared: (() => void) | undefined;
  /** Whether each move is one record between two single buffers, and has two views: then rebinding writes in place. */
  #isPlain = false;
  #views: Uint8Array[] = [];
  #viewBytes: number[] = [];
  #canChange = false;
  #disposed = false;

  /** Throws a BindingError as checkBindings does. */
  constructor(parts: PlanParts, bindings: readonly Binding[]) {
    checkBindings(parts.moves, bindings, parts.conditions);
    this.#parts = parts;
    const bound = bindings.map((binding, i) => boundAt(parts, i, binding));
    this.#threads = parts.threads === undefined ? undefined : new PlanThreads(parts.threads);
    this.#take(bound, false);
  }

  run(): Completion {
    if (this.#disposed) throw new DisposedError("plan to run");
    const views = this.#views;
    for (let i = 0; i < views.length; i++) {
      const view = views[i] as Uint8Array;
      // The length in bytes: V8 compiles length to a load, byteLength to a call of 10 ns.
      const bytes = this.#canChange ? view.byteLength : view.length;
      if (bytes !== this.#viewBytes[i]) this.#refuse(i);
    }
    if (this.#shared !== undefined) this.#shared();
    else if (this.#count === 1) this.#parts.launcher.callRecord(this.#numbers);
    else if (this.#count > 1) this.#parts.launcher.callAll(this.#numbersAddress, this.#count);
    return DONE;
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan to rebind");
    if (this.#isPlain && this.#rebindInPlace(i, binding)) return;
    const { moves, conditions } = this.#parts;
    checkBinding(moves, i, binding, conditions);
    const bound = this.#current();
    this.#take(bound.with(i, boundAt(this.#parts, i, binding)), true);
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#threads?.[Symbol.dispose]();
    this.#parts.release();
  }

  /** Writes the addresses of a common binding over those of the one before. False: it is for the careful way. */
  #rebindInPlace(i: number, binding: Binding): boolean {
    const quick = this.#parts.quickRecords[i];
    if (quick === undefined || binding.length >= this.#mostAlone()) return false;
    if (!quick.writes(this.#numbers, i * RECORD_NUMBERS, binding)) return false;
    this.#setView(i * VIEWS, binding.source.memory);
    this.#setView(i * VIEWS + 1, binding.target.memory);
    return true;
  }

  /** Bytes of one move below which all moves together are never shared among threads. */
  #mostAlone(): number {
    const { threads } = this.#parts;
    return threads === undefined ? Infinity : aloneBelowBytes(threads, threads.callFromBytes) / this.#count;
  }

  #setView(index: number, memory: Memory): void {
    const view = viewIn(memory);
    this.#views[index] = view;
    const changes = HostBuffer.is(memory) ? memory.canChangeSize : canChangeSize(view.buffer);
    this.#canChange ||= changes;
    this.#viewBytes[index] = changes ? view.byteLength : view.length;
  }

  /** What is bound now, rebinding in place included. */
  #current(): readonly Bound[] {
    if (!this.#isPlain) return this.#bound;
    return this.#parts.moves.map((move, i) => ({
      launches: [{ record: readRecord(this.#numbers, i), move }],
      views: this.#views.slice(i * VIEWS, (i + 1) * VIEWS),
      canChange: this.#canChange,
    }));
  }

  /** `isAnew`: in place of what was bound before; who binds anew does so for few runs. */
  #take(bound: readonly Bound[], isAnew: boolean): void {
    const launches = bound.flatMap((each) => each.launches);
    const shared = this.#threads?.prepare(launches, isAnew);
    const records = this.#threads?.records(launches) ?? launches.map(({ record }) => record);
    const numbers = writeRecords(records);
    this.#numbersAddress = records.length > 1 ? Number(koffi().address(numbers)) : 0;
    this.#numbers = numbers;
    this.#count = records.length;
    this.#shared = shared;
    this.#bound = bound;
    this.#isPlain = shared === undefined && records.length === bound.length && bound.every(isPlain);
    const views = bound.flatMap((each) => each.views);
    this.#views = this.#isPlain ? views : [...new Set(views)];
    this.#viewBytes = this.#views.map((view) => view.byteLength);
    this.#canChange = bound.some((each) => each.canChange);
  }

  #refuse(i: number): never {
    const bytes = (this.#views[i] as Uint8Array).byteLength;
    throw new BindingError(
      "memory of a plan",
      `the ${this.#viewBytes[i]} bytes it was bound to`,
      `${bytes}: detached, or resized since`,
    );
  }
}

const isPlain = ({ launches, views }: Bound): boolean =>
  launches.length === 1 && launches[0]?.move !== BYTE_MOVE && views.length === VIEWS;

function boundAt(parts: PlanParts, i: number, binding: Binding): Bound {
  const [move, codes] = [parts.moves[i] as Move, parts.codes[i] as Codes];
  const records = recordsOf(i, move, binding, parts.conditions, codes);
  const views = binding.length === 0 ? [] : [binding.source.memory, binding.target.memory].flatMap(viewsIn);
  return {
    launches: records.map((record: LaunchRecord) => ({
      record,
      move: codes.copy.isForAny(record[0]) ? BYTE_MOVE : move,
    })),
    views,
    canChange: views.some((view) => canChangeSize(view.buffer)),
  };
}

/** Each view of JavaScript memory: what may be detached between runs. */
const viewsIn = (memory: Memory): readonly Uint8Array[] =>
  isAddressSpace(memory) ? memory.regions.map(({ buffer }) => viewIn(buffer)) : [viewIn(memory)];

const NOTHING = new Uint8Array(0);

/** Memory with an address of its own is watched by nobody. */
const viewIn = (memory: Memory): Uint8Array =>
  isAddressSpace(memory) || memory.address !== undefined ? NOTHING : (memory.bytes ?? NOTHING);

import {
  BindingError,
  canChangeSize,
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
import { callAll, type Launch } from "./memory/launcher.js";
import { koffi } from "./memory/native.js";
import { recordsOf, type Codes, type LaunchRecord } from "./records.js";

/** What a plan needs of its kernel. */
export interface PlanParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  /** Of each move. */
  readonly codes: readonly Codes[];
  readonly launch: Launch;
  /** Lets go of the code; called once. */
  readonly release: () => void;
}

/** What one move is bound to: its records, and the views of JavaScript's memory that they lie in. */
interface Bound {
  readonly records: readonly LaunchRecord[];
  readonly views: readonly Uint8Array[];
}

/** Moves bound to memory: one call of machine code, whatever their number. */
export class LlvmPlan implements Plan {
  readonly #parts: PlanParts;
  #bound: readonly Bound[] = [];
  /** The records, as the machine code reads them. */
  #numbers = new Float64Array(0);
  #numbersAddress = 0;
  #count = 0;
  #views: readonly Uint8Array[] = [];
  #viewBytes: readonly number[] = [];
  #canChange = false;
  #disposed = false;

  /** Throws a BindingError as checkBindings does. */
  constructor(parts: PlanParts, bindings: readonly Binding[]) {
    checkBindings(parts.moves, bindings, parts.conditions);
    this.#parts = parts;
    this.#take(bindings.map((binding, i) => boundAt(parts, i, binding)));
  }

  run(): Completion {
    if (this.#disposed) throw new DisposedError("plan to run");
    for (let i = 0; i < this.#views.length; i++) {
      const view = this.#views[i] as Uint8Array;
      // The length in bytes: V8 compiles length to a load, byteLength to a call of 10 ns.
      const bytes = this.#canChange ? view.byteLength : view.length;
      if (bytes !== this.#viewBytes[i]) this.#refuse(i);
    }
    if (this.#count > 0) callAll(this.#parts.launch, this.#numbersAddress, this.#count);
    return DONE;
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan to rebind");
    checkBinding(this.#parts.moves, i, binding, this.#parts.conditions);
    this.#take(this.#bound.with(i, boundAt(this.#parts, i, binding)));
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#parts.release();
  }

  #take(bound: readonly Bound[]): void {
    const records = bound.flatMap((each) => each.records);
    this.#numbers = Float64Array.from(records.flat());
    this.#numbersAddress = records.length > 0 ? Number(koffi().address(this.#numbers)) : 0;
    this.#count = records.length;
    this.#bound = bound;
    this.#views = [...new Set(bound.flatMap((each) => each.views))];
    this.#viewBytes = this.#views.map((view) => view.byteLength);
    this.#canChange = this.#views.some((view) => canChangeSize(view.buffer));
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

function boundAt({ moves, codes, conditions }: PlanParts, i: number, binding: Binding): Bound {
  const records = recordsOf(i, moves[i] as Move, binding, conditions, codes[i] as Codes);
  const views = binding.length === 0 ? [] : [binding.source.memory, binding.target.memory].flatMap(viewsIn);
  return { records, views };
}

/** Each view of JavaScript memory: what may be detached between runs. Memory with an address of its own is watched by nobody. */
const viewsIn = (memory: Memory): readonly Uint8Array[] => {
  const buffers = isAddressSpace(memory) ? memory.regions.map(({ buffer }) => buffer) : [memory];
  return buffers.flatMap(({ address, bytes }) => (address === undefined && bytes !== undefined ? [bytes] : []));
};

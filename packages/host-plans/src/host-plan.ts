import {
  checkBinding,
  checkBindings,
  countInMemory,
  DisposedError,
  DONE,
  type Binding,
  type Completion,
  type Conditions,
  type Move,
  type Plan,
  type Span,
} from "@stowage/backend-api";
import { koffi } from "./koffi.js";
import { readRecord, RECORD_NUMBERS, writeRecords } from "./launch-record.js";
import { callRecord, type Launcher } from "./launcher.js";
import { BYTE_MOVE, launchesOf, placedLaunches, type Codes, type PlacedLaunch } from "./launches-of.js";
import type { QuickRecord } from "./quick-record.js";
import type { Launch, PlanSharing, Sharing } from "./sharing.js";
import { viewsIn, WatchedViews } from "./watched-views.js";

/** What a plan needs of its kernel. */
export interface PlanParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  /** The addresses of each move's code. */
  readonly codes: readonly Codes[];
  readonly quickRecords: readonly QuickRecord[];
  readonly launcher: Launcher;
  /** Absent: the caller's thread alone. */
  readonly sharing?: Sharing | undefined;
  /** Lets go of the code; called once. */
  readonly release: () => void;
}

/** What one move is bound to: its launches, and the views of JavaScript's memory that they lie in. */
interface Bound {
  readonly launches: readonly Launch[];
  readonly views: readonly Uint8Array[];
  /** Where the number of elements lies in memory: its place, and the launches of all elements. */
  readonly counted?: { readonly count: Span; readonly all: readonly PlacedLaunch[] };
}

/** Views of a move between two single buffers: one a side. */
const VIEWS = 2;

/** Moves bound to memory: one call of machine code, whatever their number. */
export class HostPlan implements Plan {
  readonly #parts: PlanParts;
  readonly #launcher: Launcher;
  readonly #sharing: PlanSharing | undefined;
  #bound: readonly Bound[] = [];
  /** The records that this thread runs, as the machine code reads them. */
  #numbers = new Float64Array(0);
  #numbersAddress = 0;
  #count = 0;
  /** Runs the records among threads, where they are long enough. */
  #shared: (() => void) | undefined;
  /** Whether each move is one record between two single buffers, and has two views: then rebinding writes in place. */
  #isPlain = false;
  #views = new WatchedViews([]);
  #isCounted = false;
  #disposed = false;

  /** Throws a BindingError as checkBindings does. */
  constructor(parts: PlanParts, bindings: readonly Binding[]) {
    checkBindings(parts.moves, bindings, parts.conditions);
    this.#parts = parts;
    this.#launcher = parts.launcher;
    const bound = bindings.map((binding, i) => boundAt(parts, i, binding));
    this.#sharing = parts.sharing?.open();
    this.#take(bound, false);
  }

  run(): Completion {
    if (this.#disposed) throw new DisposedError("plan to run");
    this.#views.require();
    if (this.#isCounted) this.#countAgain();
    if (this.#shared !== undefined) this.#shared();
    else if (this.#count === 1) callRecord(this.#launcher, this.#numbers);
    else if (this.#count > 1) this.#launcher.callAll(this.#numbersAddress, this.#count);
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
    this.#sharing?.[Symbol.dispose]();
    this.#parts.release();
  }

  /** Takes the launches of as many elements as the counts in memory say now. */
  #countAgain(): void {
    const bound = this.#bound.map((each) =>
      each.counted === undefined ? each : { ...each, launches: allowed(each.counted) },
    );
    if (bound.some(({ launches }, i) => launches.length !== this.#bound[i]?.launches.length)) this.#take(bound, true);
  }

  /** Writes the addresses of a common binding over those of the one before. False: it is for the careful way. */
  #rebindInPlace(i: number, binding: Binding): boolean {
    const quick = this.#parts.quickRecords[i];
    if (quick === undefined || binding.length >= this.#mostAlone()) return false;
    if (!quick.writes(this.#numbers, i * RECORD_NUMBERS, binding)) return false;
    this.#views.set(i * VIEWS, binding.source.memory);
    this.#views.set(i * VIEWS + 1, binding.target.memory);
    return true;
  }

  /** Bytes of one move below which all moves together are never shared among threads. */
  #mostAlone(): number {
    const { sharing } = this.#parts;
    return sharing === undefined ? Infinity : sharing.aloneBelowBytes / this.#count;
  }

  /** What is bound now, rebinding in place included. */
  #current(): readonly Bound[] {
    if (!this.#isPlain) return this.#bound;
    return this.#parts.moves.map((move, i) => ({
      launches: [{ record: readRecord(this.#numbers, i), move }],
      views: this.#views.slice(i * VIEWS, (i + 1) * VIEWS),
    }));
  }

  /** `isAnew`: in place of what was bound before; who binds anew does so for few runs. */
  #take(bound: readonly Bound[], isAnew: boolean): void {
    const launches = bound.flatMap((each) => each.launches);
    const shared = this.#sharing?.prepare(launches, isAnew);
    const records = this.#sharing?.records(launches) ?? launches.map(({ record }) => record);
    const numbers = writeRecords(records);
    this.#numbersAddress = records.length > 1 ? Number(koffi().address(numbers)) : 0;
    this.#numbers = numbers;
    this.#count = records.length;
    this.#shared = shared;
    this.#bound = bound;
    this.#isCounted = bound.some(({ counted }) => counted !== undefined);
    this.#isPlain = !this.#isCounted && shared === undefined && records.length === bound.length && bound.every(isPlain);
    const views = bound.flatMap((each) => each.views);
    this.#views = new WatchedViews(this.#isPlain ? views : [...new Set(views)]);
  }
}

const isPlain = ({ launches, views }: Bound): boolean =>
  launches.length === 1 && launches[0]?.move !== BYTE_MOVE && views.length === VIEWS;

function boundAt({ moves, codes, conditions }: PlanParts, i: number, binding: Binding): Bound {
  const launches = launchesOf(i, moves[i] as Move, binding, conditions, codes[i] as Codes);
  const views = binding.length === 0 ? [] : [binding.source.memory, binding.target.memory].flatMap(viewsIn);
  const count = binding.tables?.count;
  if (count === undefined || binding.length === 0) return { launches, views };
  const { memory, originBytes } = count; // the caller's record may be used again
  const counted = {
    count: { memory, originBytes },
    all: placedLaunches(i, moves[i] as Move, binding, conditions, codes[i] as Codes),
  };
  return { launches: allowed(counted), views: [...views, ...viewsIn(memory)], counted };
}

/** Those of as many elements as the count in memory says now. */
function allowed({ count, all }: NonNullable<Bound["counted"]>): readonly Launch[] {
  const most = countInMemory(count);
  return all.filter(({ element }) => element < most).map(({ launch }) => launch);
}

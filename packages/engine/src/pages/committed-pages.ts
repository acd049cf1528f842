import {
  BindingError,
  conditions,
  TABLE_ENTRY_BYTES,
  type Binding,
  type BoundTables,
  type Buffer,
  type CaptureOptions,
  type Completion,
  type Conditions,
  type MemoryKind,
  type Move,
  type Plan,
  type Queue,
  type Span,
  type TableIndex,
} from "@stowage/backend-api";
import { spanOf, type BufferLike } from "../buffer-like.js";
import { checkOptions, integerFrom, oneOf, type Rule, type Rules } from "../check-options.js";
import type { Choice } from "../choose.js";
import { LIMIT_RULES, limitsOf, MEMORY_KIND, type LimitOptions } from "../commit-options.js";
import { EnginePlan } from "../engine-plan.js";
import type { EngineResources } from "../engine-resources.js";
import { HeldPlan } from "./held-plan.js";
import { kindOf, movesOf, type PageGroup, type PooledMove } from "./page-groups.js";

/** What an engine chooses for moves under conditions. */
type ChooseFor = (moves: readonly Move[], known: Conditions) => Choice;

/** What is known of paged copies when they are committed. */
export interface PagesOptions extends LimitOptions {
  /** All that one copy moves, in one launch: layers, keys and values share its tables. */
  readonly groups: readonly PageGroup[];
  /** How page tables store their entries: unsigned 32-bit (an int32 table will do), or 64-bit integers. */
  readonly index: TableIndex;
  /** The most pages that one copy moves: the backend is chosen for so many. Default: 1,024. */
  readonly mostPages?: number;
  /** The entry that leaves its page where it is: -1 (in u32: 2^32 - 1). Default: no entry does. */
  readonly skip?: -1;
  /** Where page tables lie. Default: host. */
  readonly tableMemory?: MemoryKind;
}

/** The pages of one copy: page targetPages[k] of each target pool becomes page sourcePages[k] of its source pool. */
export interface PageTables {
  /**
   * The page of the source pools for each k, entries as PagesOptions.index says. Entries in host memory are read and
   * checked when they are bound; on a device, by the work itself.
   */
  readonly sourcePages: BufferLike;
  /** The page of the target pools for each k; read and checked as `sourcePages` is. */
  readonly targetPages: BufferLike;
  /**
   * How many pages move; or memory that holds this number as a u32, which is read when the copy runs: the tables are
   * then as long as it can become. Default: as many as the shorter table has entries.
   */
  readonly count?: number | BufferLike;
  /** Whether target pages that come twice are refused; otherwise those pages hold either. For host tables alone. */
  readonly check?: boolean;
}

const RULES: Rules<PagesOptions> = {
  groups: { expected: "a list of groups", allows: Array.isArray },
  index: oneOf(...Object.keys(TABLE_ENTRY_BYTES)),
  mostPages: integerFrom(0),
  skip: { expected: "-1", allows: (value) => value === -1 },
  tableMemory: MEMORY_KIND,
  ...LIMIT_RULES,
};

const ANY: Rule = { expected: "memory", allows: (value) => value !== undefined };
const TABLE_RULES: Rules<PageTables> = {
  sourcePages: ANY,
  targetPages: ANY,
  count: {
    expected: "an integer of 0 or more, or memory",
    allows: (value) => typeof value === "object" || integerFrom(0).allows(value),
  },
  check: { expected: "true or false", allows: (value) => typeof value === "boolean" },
};

/** What a way is chosen for where nobody says: one page alone would be any copy's. */
const USUAL_PAGES = 1024;

/**
 * Copies of pages between pools: of a paged cache on a device to another's, to the host and back. Tables that come with
 * each binding say which pages; pools and page layouts are known here.
 */
export class CommittedPages {
  /** The moves of the copy, one for each pair of pools, group by group; all are one launch. */
  readonly moves: readonly Move[];
  /** The backend that was chosen, and why the others were not. */
  readonly choice: Choice;
  readonly #pooled: readonly PooledMove[];
  readonly #conditions: Conditions;
  readonly #engine: EngineResources;

  constructor(options: PagesOptions, choose: ChooseFor, engine: EngineResources) {
    checkOptions("page options", options, RULES);
    this.#engine = engine;
    this.#pooled = movesOf(options.groups, options.index, options.skip === -1);
    this.moves = Object.freeze(this.#pooled.map(({ move }) => move));
    this.#conditions = conditions({
      sourceKind: kindOf("source", this.#pooled),
      targetKind: kindOf("target", this.#pooled),
      tableKind: options.tableMemory ?? "host",
      ...limitsOf(options),
    });
    this.choice = choose(this.moves, { ...this.#conditions, count: options.mostPages ?? USUAL_PAGES });
  }

  /**
   * Makes a plan of a copy of these pages, checked: run it as often as its tables are right, or give it others. It
   * lives until its caller or the engine disposes of it. Throws a BindingError where tables, pools or the count do not
   * fit, an ArgumentError for what can be no tables, a DisposedError once the engine has been disposed of.
   */
  bind(tables: PageTables): PagesPlan {
    this.#engine.requireOpen();
    const groups = Math.max(...this.#pooled.map(({ group }) => group)) + 1;
    const isOf = (g: number, i: number): boolean => this.#pooled[i]?.group === g;
    const parts = {
      bound: (of: PageTables) => this.#bound(of),
      whole: (bound: BoundPages) => this.#planOf(this.moves, this.#bindingsOf(bound)),
      each: (bound: BoundPages) =>
        Array.from({ length: groups }, (_, g) =>
          this.#planOf(
            this.moves.filter((_move, i) => isOf(g, i)),
            this.#bindingsOf(bound).filter((_binding, i) => isOf(g, i)),
          ),
        ),
    };
    return new PagesPlan(parts, tables);
  }

  #planOf(moves: readonly Move[], bindings: readonly Binding[]): EnginePlan {
    const { kernels, plans } = this.#engine;
    const shared = kernels.hold(this.choice.chosen, moves, this.#conditions);
    const held = new HeldPlan(shared, moves, this.#conditions, bindings);
    const plan = new EnginePlan(held, (ended) => void plans.delete(ended));
    plans.add(plan);
    return plan;
  }

  /** How the chosen backend moves the bytes. Compiles where nothing has yet. */
  explain(): string {
    const shared = this.#engine.kernels.hold(this.choice.chosen, this.moves, this.#conditions);
    try {
      return shared.kernel.explain();
    } finally {
      shared.release();
    }
  }

  #bound(tables: PageTables): BoundPages {
    checkOptions("page tables", tables, TABLE_RULES);
    const { sourcePages, targetPages, count, check } = tables;
    const [source, target] = [spanOf("source", sourcePages), spanOf("target", targetPages)];
    const { index } = (this.moves[0] as Move).tables?.source as { index: TableIndex };
    const most = typeof count === "number" ? count : Math.min(entriesIn(source, index), entriesIn(target, index));
    if (check === true) requireDistinct(target, index, most);
    const held = typeof count === "object" ? { count: spanOf("source", count) } : {};
    return { tables: { source, target, ...held }, count: most };
  }

  #bindingsOf({ tables, count }: BoundPages): readonly Binding[] {
    return this.#pooled.map(({ move, source, target }) => {
      return { source, target, count, first: 0, length: count * move.source.sizeBytes, tables };
    });
  }
}

/** Tables for all pools, and how many entries move. */
interface BoundPages {
  readonly tables: BoundTables;
  readonly count: number;
}

/** What a plan of pages has from what was committed. */
interface PagesParts {
  readonly bound: (tables: PageTables) => BoundPages;
  readonly whole: (bound: BoundPages) => EnginePlan;
  /** A plan for each group. */
  readonly each: (bound: BoundPages) => readonly EnginePlan[];
}

/** A plan of paged copies, bound to their tables. */
export class PagesPlan implements Disposable {
  readonly #parts: PagesParts;
  #bound: BoundPages;
  readonly #whole: EnginePlan;
  /** A plan for each group, once one was run by itself. */
  #each: readonly EnginePlan[] | undefined;
  /** Whether those have the tables of before. */
  #isStale = false;

  constructor(parts: PagesParts, tables: PageTables) {
    this.#parts = parts;
    this.#bound = parts.bound(tables);
    this.#whole = parts.whole(this.#bound);
  }

  /** Copies the pages of all groups, in one launch, in the order of the queue, as any plan does. */
  run(queue?: Queue): Completion {
    return this.#whole.run(queue);
  }

  /**
   * Copies the groups one after another, with a completion each, in the order of the groups: a layer's pages may be
   * used, or sent on, while those of the next are copied.
   */
  runEach(queue?: Queue): readonly Completion[] {
    const { tables, count } = this.#bound;
    this.#each ??= this.#parts.each(this.#bound);
    if (this.#isStale) for (const plan of this.#each) plan.rebindTables(tables, count);
    this.#isStale = false;
    return this.#each.map((plan) => plan.run(queue));
  }

  /** Binds the plan to other tables, checked as bind does; on an error, thrown as there, the plan stays as it was. */
  rebind(tables: PageTables): void {
    const bound = this.#parts.bound(tables);
    this.#whole.rebindTables(bound.tables, bound.count);
    this.#bound = bound;
    this.#isStale = true;
  }

  /** Records the plan's work as a graph, as Plan.capture does. */
  capture(queue: Queue, options?: CaptureOptions): Plan {
    return this.#whole.capture(queue, options);
  }

  [Symbol.dispose](): void {
    for (const plan of this.#each ?? []) plan[Symbol.dispose]();
    this.#whole[Symbol.dispose]();
  }
}

/** Entries between a table's origin and the end of its memory. */
const entriesIn = ({ memory, originBytes }: Span, index: TableIndex): number =>
  Math.max(0, Math.floor(((memory as Buffer).sizeBytes - originBytes) / TABLE_ENTRY_BYTES[index]));

/** Throws a BindingError where a target page comes twice: which of its sources it would hold is undefined. */
function requireDistinct(table: Span, index: TableIndex, count: number): void {
  const { memory, originBytes } = table;
  const { bytes } = memory as Buffer;
  if (bytes === undefined) throw new BindingError("target pages to check", "host memory", "an address");
  if (count > entriesIn(table, index)) return; // what binds the table refuses one that is too short
  const view = new DataView(bytes.buffer, bytes.byteOffset + originBytes);
  const seen = new Set<number | bigint>();
  for (let k = 0; k < count; k++) {
    const page = index === "u32" ? view.getUint32(4 * k, true) : view.getBigInt64(8 * k, true);
    if (page !== SKIPPED[index] && hasAlready(seen, page))
      throw new BindingError(`entry ${k} of the target pages`, "a page that comes once", `page ${page} again`);
  }
}

function hasAlready<Page>(seen: Set<Page>, page: Page): boolean {
  const before = seen.size;
  return seen.add(page).size === before;
}

const SKIPPED = { u32: 2 ** 32 - 1, i64: -1n } as const;

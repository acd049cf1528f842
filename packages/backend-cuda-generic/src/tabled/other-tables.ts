import {
  isAddressSpace,
  TABLE_ENTRY_BYTES,
  type Binding,
  type BoundTables,
  type Conditions,
  type MemoryKind,
  type Move,
  type Span,
} from "@stowage/backend-api";
import type { Launch } from "@stowage/cuda-driver";
import { originAddress } from "@stowage/cuda-plans";
import { HEADER, HEADER_BYTES } from "../kernel/plan-block.js";
import { GROUP, GROUP_BYTES } from "./record.js";
import { blocksFor, mostUnrolled, tilesOf, type LaunchedGroup, type TabledLaunch } from "./tabled-launch.js";
import { TABLED_THREADS } from "./variant.js";

const COUNT_BYTES = 4;
const COUNT_ALIGNMENT = 4;

/** What a launch was made for. */
export interface MadeFor {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  readonly multiprocessors: number;
  readonly bindings: readonly Binding[];
}

/**
 * Other tables, or another number of elements, for all moves of a launch whose records are its own parameters: what
 * serving engines bind at every call. Plain arithmetic on numbers, and words written where they stand: a record for
 * each group, however many pools it has.
 */
export class OtherTables {
  readonly #made: MadeFor;
  readonly #launch: Launch;
  readonly #groups: readonly LaunchedGroup[];
  readonly #wordsOfElement: number;
  readonly #entryBytes: { readonly source: number; readonly target: number };
  readonly #isCounted: boolean;
  #elements: number;

  private constructor(made: MadeFor, { groups }: TabledLaunch, launch: Launch) {
    const [move] = made.moves;
    const [binding] = made.bindings;
    this.#made = made;
    this.#launch = launch;
    this.#groups = groups;
    this.#wordsOfElement = groups.reduce(
      (sum, { pools, sizeBytes, words }) => sum + (pools * sizeBytes) / words.wordBytes,
      0,
    );
    const bytesOf = (side: "source" | "target"): number => {
      const table = move?.tables?.[side];
      return table === undefined ? 0 : TABLE_ENTRY_BYTES[table.index];
    };
    this.#entryBytes = { source: bytesOf("source"), target: bytesOf("target") };
    this.#isCounted = binding?.tables?.count !== undefined;
    this.#elements = binding?.count ?? 0;
  }

  /** Undefined for a launch that moves parts, by differing tables, or reads what was uploaded for it. */
  static of(made: MadeFor, chosen: TabledLaunch, launch: Launch): OtherTables | undefined {
    const { variant, uploads } = chosen;
    if (uploads || variant.planBytes === 0) return undefined;
    const [first] = made.bindings;
    const isWhole = ({ count, first: from, length, tables }: Binding, i: number): boolean =>
      length > 0 &&
      from === 0 &&
      count === first?.count &&
      length === count * (made.moves[i] as Move).source.sizeBytes &&
      sameTables(tables, first.tables);
    return made.bindings.every(isWhole) ? new OtherTables(made, chosen, launch) : undefined;
  }

  /** True: they are checked, and written for the next run. False says nothing: the careful way is to decide. */
  takes(bindings: readonly Binding[]): boolean {
    const [first] = bindings;
    if (bindings.length !== this.#made.bindings.length || first?.tables === undefined) return false;
    const { tables, count } = first;
    for (let i = 0; i < bindings.length; i++)
      if (!this.#isAlike(i, bindings[i] as Binding, tables, count)) return false;
    return this.takesTables(tables, count);
  }

  /** Like `takes`, for tables that all moves share, where memory stays. */
  takesTables(tables: BoundTables, count: number): boolean {
    if (!this.#takesCount(count) || !this.#fits(tables, count)) return false;
    this.#write(tables, count);
    return true;
  }

  #takesCount(count: number): boolean {
    const { conditions, multiprocessors } = this.#made;
    if (count === this.#elements) return true;
    if (!Number.isSafeInteger(count) || count <= 0 || count > MOST_ELEMENTS || conditions.count !== "any") return false;
    const most = (elements: number): number => mostUnrolled(elements * this.#wordsOfElement, multiprocessors);
    return most(count) === most(this.#elements);
  }

  #fits({ source, target, count: held }: BoundTables, count: number): boolean {
    const { tableKind = "host" } = this.#made.conditions;
    const { source: sourceBytes, target: targetBytes } = this.#entryBytes;
    if (this.#isCounted !== (held !== undefined)) return false;
    return (
      holds(source, sourceBytes, count, tableKind) &&
      holds(target, targetBytes, count, tableKind) &&
      holds(held, this.#isCounted ? COUNT_BYTES : 0, 1, tableKind)
    );
  }

  /** Whether a binding has the pools it had, the whole stream, and the tables that all have. */
  #isAlike(i: number, binding: Binding, tables: BoundTables, count: number): boolean {
    const { source, target } = this.#made.bindings[i] as Binding;
    return (
      isSame(binding.source, source) &&
      isSame(binding.target, target) &&
      binding.count === count &&
      binding.first === 0 &&
      binding.length === count * (this.#made.moves[i] as Move).source.sizeBytes &&
      sameTables(binding.tables, tables)
    );
  }

  #write({ source, target, count: held }: BoundTables, count: number): void {
    const launch = this.#launch;
    const [sourceTable, targetTable, countAt] = [addressOf(source), addressOf(target), addressOf(held)];
    const isOther = count !== this.#elements;
    let firstTile = 0;
    for (let g = 0; g < this.#groups.length; g++) {
      const at = HEADER_BYTES + g * GROUP_BYTES;
      launch.setWord(at + GROUP.sourceTable, sourceTable);
      launch.setWord(at + GROUP.targetTable, targetTable);
      launch.setWord(at + GROUP.count, countAt);
      if (!isOther) continue;
      const group = this.#groups[g] as LaunchedGroup;
      const tilesPerPool = tilesOf(count, group);
      launch.parameters.setUint32(at + GROUP.firstTile, firstTile, true);
      launch.parameters.setUint32(at + GROUP.tilesPerPool, tilesPerPool, true);
      launch.parameters.setUint32(at + GROUP.elements, count, true);
      launch.setWord(at + GROUP.endByte, count * group.sizeBytes);
      firstTile += group.pools * tilesPerPool;
    }
    if (!isOther) return;
    launch.parameters.setUint32(HEADER.tiles, firstTile, true);
    launch.reshape({ grid: { x: blocksFor(firstTile, this.#made.conditions) }, block: { x: TABLED_THREADS } });
    this.#elements = count;
  }
}

const addressOf = (span: Span | undefined): number => (span === undefined ? 0 : originAddress(span));

/** Tiles are numbers of 32 bits. */
const MOST_ELEMENTS = 2 ** 24;

const isSame = (a: Span, b: Span): boolean => a.memory === b.memory && a.originBytes === b.originBytes;

const isSameOrNone = (a: Span | undefined, b: Span | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && isSame(a, b));

function sameTables(a: BoundTables | undefined, b: BoundTables | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return isSameOrNone(a.source, b.source) && isSameOrNone(a.target, b.target) && isSameOrNone(a.count, b.count);
}

/** Whether memory of a device, or that one reaches, has so many entries; without entries, whether there is none. */
function holds(span: Span | undefined, entryBytes: number, count: number, kind: MemoryKind): boolean {
  if (span === undefined || entryBytes === 0) return span === undefined && entryBytes === 0;
  const { memory, originBytes } = span;
  if (kind === "host" || isAddressSpace(memory) || memory.kind !== kind) return false;
  const { address, bytes, sizeBytes } = memory;
  if (address === undefined || (bytes !== undefined && bytes.byteLength < sizeBytes)) return false;
  if (!Number.isSafeInteger(originBytes) || originBytes < 0 || originBytes + count * entryBytes > sizeBytes)
    return false;
  return (address + originBytes) % Math.max(entryBytes, COUNT_ALIGNMENT) === 0;
}

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
import { TABLED, TABLED_BYTES } from "./record.js";
import { blocksFor, groupsPerTile, mostUnrolled, type TabledLaunch } from "./tabled-launch.js";
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
 * serving engines bind at every call. Plain arithmetic on numbers, and words written where they stand.
 */
export class OtherTables {
  readonly #made: MadeFor;
  readonly #launch: Launch;
  readonly #chosen: TabledLaunch;
  readonly #pieces: number;
  readonly #elementBytes: number;
  readonly #entryBytes: { readonly source: number; readonly target: number };
  readonly #isCounted: boolean;
  #elements: number;

  private constructor(made: MadeFor, chosen: TabledLaunch, launch: Launch, pieces: number) {
    const [move] = made.moves;
    const [binding] = made.bindings;
    this.#made = made;
    this.#launch = launch;
    this.#chosen = chosen;
    this.#pieces = pieces;
    this.#elementBytes = made.moves.reduce((sum, { source }) => sum + source.sizeBytes, 0);
    const bytesOf = (side: "source" | "target"): number => {
      const table = move?.tables?.[side];
      return table === undefined ? 0 : TABLE_ENTRY_BYTES[table.index];
    };
    this.#entryBytes = { source: bytesOf("source"), target: bytesOf("target") };
    this.#isCounted = binding?.tables?.count !== undefined;
    this.#elements = binding?.count ?? 0;
  }

  /** Undefined for a launch whose moves are not alike, are parts of elements, or read what was uploaded for them. */
  static of(made: MadeFor, chosen: TabledLaunch, launch: Launch): OtherTables | undefined {
    const { variant, uploads } = chosen;
    const { pieces, isPart, moves, planBytes, narrow } = variant;
    if (narrow !== undefined) return undefined;
    if (uploads || isPart || moves === "searched" || planBytes === 0 || pieces === "differing") return undefined;
    return made.bindings.every(({ length }) => length > 0) ? new OtherTables(made, chosen, launch, pieces) : undefined;
  }

  /** True: they are checked, and written for the next run. False says nothing: the careful way is to decide. */
  takes(bindings: readonly Binding[]): boolean {
    const [first] = bindings;
    if (bindings.length !== this.#made.bindings.length || first?.tables === undefined) return false;
    const { tables, count } = first;
    if (!this.#takesCount(count) || !this.#takesTables(tables, count)) return false;
    for (let i = 0; i < bindings.length; i++)
      if (!this.#isAlike(i, bindings[i] as Binding, tables, count)) return false;
    this.#write(tables, count);
    return true;
  }

  #takesCount(count: number): boolean {
    const { conditions, multiprocessors } = this.#made;
    if (count === this.#elements) return true;
    if (!Number.isSafeInteger(count) || count <= 0 || count > MOST_ELEMENTS || conditions.count !== "any") return false;
    const words = (elements: number): number => (elements * this.#elementBytes) / this.#chosen.variant.wordBytes;
    return mostUnrolled(words(count), multiprocessors) === mostUnrolled(words(this.#elements), multiprocessors);
  }

  #takesTables({ source, target, count: held }: BoundTables, count: number): boolean {
    const { tableKind = "host" } = this.#made.conditions;
    const { source: sourceBytes, target: targetBytes } = this.#entryBytes;
    if (this.#isCounted !== (held !== undefined)) return false;
    return (
      holds(source, sourceBytes, count, tableKind) &&
      holds(target, targetBytes, count, tableKind) &&
      holds(held, this.#isCounted ? COUNT_BYTES : 0, 1, tableKind)
    );
  }

  /** The same pools, the whole stream, and the tables that all have. */
  #isAlike(i: number, binding: Binding, tables: BoundTables, count: number): boolean {
    const { source, target } = this.#made.bindings[i] as Binding;
    return (
      isSame(binding.source, source) &&
      isSame(binding.target, target) &&
      binding.count === count &&
      binding.first === 0 &&
      binding.length === count * (this.#made.moves[i] as Move).source.sizeBytes &&
      (binding.tables === tables || sameTables(binding.tables, tables))
    );
  }

  #write({ source, target, count: held }: BoundTables, count: number): void {
    const launch = this.#launch;
    const { moves, conditions } = this.#made;
    const addresses = [source, target, held].map((span) => (span === undefined ? 0 : originAddress(span)));
    const [sourceTable, targetTable, countAt] = addresses as [number, number, number];
    const isOther = count !== this.#elements;
    const tiles = Math.ceil((count * this.#pieces) / groupsPerTile(this.#chosen.variant));
    for (let i = 0; i < moves.length; i++) {
      const at = HEADER_BYTES + i * TABLED_BYTES;
      launch.setWord(at + TABLED.sourceTable, sourceTable);
      launch.setWord(at + TABLED.targetTable, targetTable);
      launch.setWord(at + TABLED.count, countAt);
      if (!isOther) continue;
      launch.parameters.setUint32(at + TABLED.firstTile, i * tiles, true);
      launch.parameters.setUint32(at + TABLED.elements, count, true);
      launch.setWord(at + TABLED.endByte, count * (moves[i] as Move).source.sizeBytes);
    }
    if (!isOther) return;
    launch.parameters.setUint32(HEADER.tiles, tiles * moves.length, true);
    launch.reshape({ grid: { x: blocksFor(tiles * moves.length, conditions) }, block: { x: TABLED_THREADS } });
    this.#elements = count;
  }
}

/** Tiles are numbers of 32 bits. */
const MOST_ELEMENTS = 2 ** 24;

const isSame = (a: Span, b: Span): boolean => a.memory === b.memory && a.originBytes === b.originBytes;

function sameTables(a: BoundTables | undefined, b: BoundTables): boolean {
  if (a === undefined) return false;
  return (["source", "target", "count"] as const).every((name) => {
    const [x, y] = [a[name], b[name]];
    return x === y || (x !== undefined && y !== undefined && isSame(x, y));
  });
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

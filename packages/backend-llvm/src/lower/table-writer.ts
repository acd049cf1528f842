import { integerTable, isRuns, stream, type Blocks, type Stream } from "@stowage/ir";
import type { FunctionWriter, Value } from "./function-writer.js";
import { mergedBlocks } from "./merged-stores.js";
import { moved, type NodeWriter, type Spot } from "./node-writer.js";
import { overlaidBytes, packOverlaid } from "./overlaid.js";
import { MOVES_A_ROUND } from "./rounds.js";
import type { Entry } from "./module-writer.js";

/** Entries ahead of those that are moved whose lines are asked for, where they reach past L2. */
const PREFETCHED_ENTRIES = 16;
const FAR_BYTES = 512 * 1024;

/** So many entries, the first of which is i; `followed` more must come behind them. */
interface EntriesRound {
  readonly entries: number;
  readonly followed: number;
  readonly emit: (f: FunctionWriter, spot: Spot, i: Value) => void;
}

interface Equal {
  readonly clipEqual: (f: FunctionWriter, spotOf: (i: Value) => Spot, whole: (from: Value, to: Value) => void) => void;
}

/** Walks over a table of displacements, each of which is a constant in the module. */
export class TableWriter {
  readonly #writer: NodeWriter;
  readonly #node: Blocks;
  readonly #equal: Equal;
  readonly #displacement: Entry;
  /** What each block of a varying length holds in bytes of the packed stream, and where it begins there. */
  readonly #lengths: { readonly copies: Entry; readonly start: Entry; readonly search: Entry } | undefined;
  /** The children of one block, if they are no run. */
  readonly #block: Stream;

  constructor(writer: NodeWriter, node: Blocks, equal: Equal) {
    this.#writer = writer;
    this.#node = node;
    this.#equal = equal;
    const { displacementsBytes, blocklengths, strideBytes, child } = node;
    this.#displacement = writer.module.table(this.#padded()).entry;
    this.#block = stream(1, strideBytes, child);
    if (blocklengths === 1) return;
    let start = 0;
    const starts = integerTable(displacementsBytes.length, (i) => {
      if (i === 0) start = 0;
      const here = start;
      start += (blocklengths[i] as number) * child.sizeBytes;
      return here;
    });
    const { entry, search } = writer.module.table(starts);
    this.#lengths = { copies: writer.module.table(blocklengths).entry, start: entry, search };
  }

  /** Entries [from, to). */
  parts(f: FunctionWriter, spot: Spot, from: Value, to: Value): void {
    const lengths = this.#lengths;
    if (lengths !== undefined) {
      f.loop(from, to, 1, (i) => this.#entry(f, spot, i, 0, lengths.copies(f, i)));
      return;
    }
    let next = from;
    for (const { entries, followed, emit } of this.#rounds()) {
      next = f.loop(next, f.subtract(to, followed), entries, (i) => {
        if (this.#isPrefetched()) this.#prefetch(f, spot, i, entries);
        emit(f, spot, i);
      });
    }
  }

  /** What a round of entries moves, the longer ones first. */
  #rounds(): readonly EntriesRound[] {
    const { child } = this.#node;
    const plain = (entries: number): EntriesRound => ({
      entries,
      followed: 0,
      emit: (f, spot, i) => {
        for (let k = 0; k < entries; k++) this.#writer.whole(f, child, this.#spotOf(f, spot, f.add(i, k)));
      },
    });
    const merged = mergedBlocks(this.#writer, child);
    if (merged !== undefined) {
      const emit: EntriesRound["emit"] = (f, spot, i) => {
        const packed = f.at(spot.packed, f.multiply(i, child.sizeBytes));
        merged.emit(f, packed, (k) => f.at(spot.scattered, this.#displacement(f, f.add(i, k))));
      };
      return [{ entries: merged.blocks, followed: 0, emit }, plain(1)];
    }
    const register = child.kind === "dense" ? overlaidBytes(this.#writer, child.sizeBytes) : 0;
    if (register > 0) {
      const emit: EntriesRound["emit"] = (f, spot, i) => {
        for (let k = 0; k < MOVES_A_ROUND; k++)
          packOverlaid(f, this.#writer, child.sizeBytes, register, this.#spotOf(f, spot, f.add(i, k)));
      };
      return [{ entries: MOVES_A_ROUND, followed: 1, emit }, plain(1)];
    }
    const several = Math.max(1, 2 ** Math.floor(Math.log2(MOVES_A_ROUND / this.#writer.movesOf(child))));
    return several > 1 ? [plain(several), plain(1)] : [plain(1)];
  }

  /** Bytes [%from, %to) of the packed stream. */
  clip(f: FunctionWriter, spot: Spot): void {
    const lengths = this.#lengths;
    if (lengths === undefined) {
      return this.#equal.clipEqual(
        f,
        (i) => this.#spotOf(f, spot, i),
        (from, to) => this.#between(f, spot, from, to),
      );
    }
    const first = lengths.search(f, "%from");
    const last = lengths.search(f, f.subtract("%to", 1));
    const within = (x: string, i: Value): Value => f.subtract(x, lengths.start(f, i));
    const ending = within("%to", last);
    f.returnWhen(f.compare("eq", first, last), () => this.#clipEntry(f, spot, first, within("%from", first), ending));
    const whole = f.multiply(lengths.copies(f, first), this.#node.child.sizeBytes);
    this.#clipEntry(f, spot, first, within("%from", first), whole);
    this.#between(f, spot, f.add(first, 1), last);
    this.#clipEntry(f, spot, last, 0, ending);
  }

  /** Entries of a range found when it runs, by the same function as all of them. */
  #between(f: FunctionWriter, spot: Spot, from: Value, to: Value): void {
    const name = this.#writer.functionOf(this.#node, "parts", (g) => {
      this.parts(g, spot, "%from", "%to");
      g.do("ret void");
    });
    f.do(`call fastcc void ${name}(ptr ${spot.scattered}, ptr ${spot.packed}, i64 ${from}, i64 ${to})`);
  }

  /** So many copies of the child, the first at an entry's displacement. */
  #entry(f: FunctionWriter, spot: Spot, i: Value, from: Value, copies: Value): void {
    const at = this.#spotOf(f, spot, i);
    const { child } = this.#node;
    if (!isRuns(this.#node)) return this.#writer.children(f, this.#block, at, from, copies);
    this.#writer.module.copy(f, this.#writer.run(at), f.multiply(copies, child.sizeBytes));
  }

  #clipEntry(f: FunctionWriter, spot: Spot, i: Value, low: Value, high: Value): void {
    const at = this.#spotOf(f, spot, i);
    if (!isRuns(this.#node)) return this.#writer.clip(f, this.#block, at, low, high);
    const here = moved(f, at, low, low);
    this.#writer.module.copy(f, this.#writer.run(here), f.subtract(high, low));
  }

  #spotOf(f: FunctionWriter, spot: Spot, i: Value): Spot {
    const packed = this.#lengths === undefined ? f.multiply(i, this.#node.child.sizeBytes) : this.#lengths.start(f, i);
    return moved(f, spot, this.#displacement(f, i), packed);
  }

  #isPrefetched(): boolean {
    const { lowBytes, highBytes } = this.#node;
    return this.#lengths === undefined && highBytes - lowBytes >= FAR_BYTES;
  }

  /** The displacements, and behind them as many as are read ahead. */
  #padded() {
    const { displacementsBytes } = this.#node;
    const { length } = displacementsBytes;
    if (this.#node.blocklengths !== 1 || this.#node.highBytes - this.#node.lowBytes < FAR_BYTES)
      return displacementsBytes;
    const last = displacementsBytes[length - 1] as number;
    return integerTable(length + PREFETCHED_ENTRIES + MOVES_A_ROUND, (i) => displacementsBytes[i] ?? last);
  }

  #prefetch(f: FunctionWriter, { scattered }: Spot, i: Value, entries: number): void {
    this.#writer.module.declare("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)");
    const isWrite = this.#writer.facts.direction === "unpack" ? 1 : 0;
    for (let k = 0; k < entries; k++) {
      const ahead = f.at(scattered, this.#displacement(f, f.add(i, PREFETCHED_ENTRIES + k)));
      f.do(`call void @llvm.prefetch.p0(ptr ${ahead}, i32 ${isWrite}, i32 3, i32 1)`);
    }
  }
}

import type { Datatype } from "@stowage/ir";
import { createHash } from "node:crypto";
import { warmUp } from "../../sample.js";
import type { Answers, CellSpec, Created, Request } from "../protocol.js";
import { CANARY, CellMemories } from "./cell-memory.js";
import type { OpenCell, Peer, Variant } from "./peer.js";
import type { Allocate } from "./shared-memory.js";

/** Shortest sample: quick calls are timed in batches that last this long. */
const SAMPLE_NS = 100e3;
const LARGEST_BATCH = 2 ** 20;
/**
 * How long a variant runs before a sample, for others have had the caches and the address translation since its last
 * turn: at least so long, and so many times unless that takes longer (docs/design/peers.md).
 */
const SHORTEST_WARM_MS = 0.25;
const WARM_RUNS = 24;
const LONGEST_WARM_MS = 10;
/** How many times as long the first cell of a mode and direction is warmed up: its code is not optimised yet. */
const FIRST_WARM_UP = 20;
/** Shortest sample of making a datatype. */
const CREATE_MS = 0.5;

/** A cell that stands open, and how many runs make a sample of each variant. */
interface Bench {
  readonly datatype: Datatype;
  readonly cell: OpenCell;
  readonly direction: CellSpec["direction"];
  readonly warmUpMs: number;
  readonly batches: (number | undefined)[];
}

/** Answers the requests to one contender, as servePeer reads them. */
export class Server implements Disposable {
  readonly #peer: Peer;
  readonly #memories: CellMemories;
  #bench: Bench | undefined;
  /** Modes and directions that JavaScript's compiler has had time for. */
  readonly #optimised = new Set<string>();

  /**
   * Takes the contender, which is disposed of with this. `allocate` makes the memory of cells; without it they lie in
   * memory of this process alone.
   */
  constructor(peer: Peer, allocate?: Allocate) {
    this.#peer = peer;
    this.#memories = new CellMemories(allocate);
  }

  /**
   * Answers one request. Throws what the contender throws, and an Error where a request needs an open cell and none is.
   */
  answer(request: Request): Answers[Request["ask"]] {
    switch (request.ask) {
      case "open":
        return this.#open(request.cell);
      case "verify":
        return { sha256: hashOf(this.#variant(request.variant)) };
      case "sample":
        return { ns: this.#sample(request.variant) };
      case "create":
        return { times: this.#create() };
      case "close":
        this.#close();
        return {};
    }
  }

  /** Closes the open cell, and ends the contender. */
  [Symbol.dispose](): void {
    this.#close();
    this.#peer[Symbol.dispose]();
  }

  #open(spec: CellSpec): Answers["open"] {
    this.#close();
    const memory = this.#memories.make(spec);
    const cell = this.#peer.open(memory);
    this.#bench = { datatype: memory.datatype, cell, direction: spec.direction, warmUpMs: spec.warmUpMs, batches: [] };
    return { variants: cell.variants.map(({ name, mode }) => ({ name, mode })), refusals: cell.refusals };
  }

  #sample(index: number): number {
    const variant = this.#variant(index);
    const { batches, direction, warmUpMs } = this.#requireBench();
    if (batches[index] === undefined) this.#warmUp(variant, direction, warmUpMs);
    const batch = (batches[index] ??= batchSize(variant));
    warm(variant);
    return timeBatch(variant, batch);
  }

  #warmUp(variant: Variant, direction: string, ms: number): void {
    const way = `${variant.mode} ${direction}`;
    warmUp(() => variant.run(), this.#optimised.has(way) ? ms : ms * FIRST_WARM_UP);
    this.#optimised.add(way);
  }

  /** The mean of several in a row: a program makes its datatypes while caches are warm with making them. */
  #create(): Created["times"] {
    const { datatype } = this.#requireBench();
    this.#peer.create(datatype);
    const made: NonNullable<Created["times"]>[] = [];
    const end = performance.now() + CREATE_MS;
    do {
      const times = this.#peer.create(datatype);
      if (times === null) return null;
      made.push(times);
    } while (performance.now() < end);
    const mean = (nsOf: (times: NonNullable<Created["times"]>) => number): number =>
      made.reduce((sum, times) => sum + nsOf(times), 0) / made.length;
    return {
      createNs: mean(({ createNs }) => createNs),
      commitNs: mean(({ commitNs }) => commitNs),
      freeNs: mean(({ freeNs }) => freeNs),
    };
  }

  #variant(index: number): Variant {
    return this.#requireBench().cell.variants[index] as Variant;
  }

  #requireBench(): Bench {
    if (this.#bench === undefined) throw new Error("cell: expected to be open, got a request without one");
    return this.#bench;
  }

  #close(): void {
    this.#bench?.cell[Symbol.dispose]();
    this.#bench = undefined;
  }
}

function hashOf(variant: Variant): string {
  variant.target.fill(CANARY);
  variant.run();
  return createHash("sha256").update(variant.target).digest("hex");
}

function batchSize(variant: Variant): number {
  let batch = 1;
  while (timeBatch(variant, batch) * batch < SAMPLE_NS && batch < LARGEST_BATCH) batch *= 2;
  return batch;
}

function warm(variant: Variant): void {
  const start = performance.now();
  let [runs, ms] = [0, 0];
  while (ms < SHORTEST_WARM_MS || (runs < WARM_RUNS && ms < LONGEST_WARM_MS)) {
    variant.run();
    runs++;
    ms = performance.now() - start;
  }
}

function timeBatch(variant: Variant, batch: number): number {
  const start = performance.now();
  for (let i = 0; i < batch; i++) variant.run();
  return ((performance.now() - start) * 1e6) / batch;
}

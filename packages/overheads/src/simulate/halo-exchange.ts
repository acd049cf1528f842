import { EventQueue } from "./event-queue.js";
import type { Terms } from "./terms.js";
import { DIRECTIONS, neighbour, opposite, torusOf, type Torus } from "./torus.js";

/** How halos travel: a message a neighbour, or one MPI_Alltoallv in which all other counts are 0. */
export type ExchangeMode = "messages" | "alltoallv";

/** What a simulated halo exchange is made of. */
export interface HaloOptions {
  /** How many ranks there are. */
  readonly ranks: number;
  /** Points of the global grid in each dimension; doubles. */
  readonly gridPoints: number;
  /** How many exchanges each rank makes. */
  readonly iterations: number;
  readonly mode: ExchangeMode;
  readonly terms: Terms;
  /**
   * The mean, in nanoseconds, of the exponentially distributed delay of each rank before each exchange: what makes
   * messages come unexpected.
   */
  readonly skewNs: number;
  /** The seed of the delays. */
  readonly seed: number;
}

/** The causes among which the time of an exchange is shared out. */
export const CAUSES = ["pack", "stack", "requests", "matching", "waitany", "checks", "sparse", "waiting"] as const;
/** One of CAUSES. */
export type Cause = (typeof CAUSES)[number];

/** What came of a simulation. */
export interface HaloTimes {
  readonly ranks: number;
  readonly mode: ExchangeMode;
  /** Points of each rank's part of the grid in each dimension. */
  readonly block: Torus["block"];
  /** Nanoseconds of the mean exchange of the mean rank. */
  readonly exchangeNs: number;
  /** How many of these nanoseconds each cause takes; together they are `exchangeNs`. */
  readonly causes: Readonly<Record<Cause, number>>;
  /** The share of all messages that came before their receive was posted, 0 to 1. */
  readonly unexpectedShare: number;
  /** How many messages all ranks sent. */
  readonly messages: number;
}

const DOUBLE_BYTES = 8;
const START = DIRECTIONS;
const KINDS = DIRECTIONS + 1;

/**
 * Simulates halo exchanges in three dimensions by discrete events: events are the start of a rank's exchange and the
 * arrival of a message. Each rank has one processor, which does one thing at a time, and one link, which carries one
 * message at a time; a message that comes before its receive is posted waits in the queue of unexpected ones.
 */
export function simulateHalo(options: HaloOptions): HaloTimes {
  return new Simulation(options).run();
}

class Simulation {
  readonly #options: HaloOptions;
  readonly #torus: Torus;
  readonly #queue = new EventQueue();
  readonly #busyUntil: Float64Array;
  readonly #linkFreeAt: Float64Array;
  readonly #startedAt: Float64Array;
  readonly #iteration: Int32Array;
  /** Messages of this exchange that a rank has taken. */
  readonly #received: Uint8Array;
  /** Bits of directions whose receives are posted and not matched, and of messages of the next exchange that wait. */
  readonly #posted: Uint8Array;
  readonly #waiting: Uint8Array;
  readonly #spent: Record<Cause, number>;
  readonly #random: () => number;
  #messages = 0;
  #unexpected = 0;
  #elapsed = 0;

  constructor(options: HaloOptions) {
    const { ranks, gridPoints, seed } = options;
    this.#options = options;
    this.#torus = torusOf(ranks, gridPoints);
    [this.#busyUntil, this.#linkFreeAt, this.#startedAt] = [0, 1, 2].map(() => new Float64Array(ranks)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    this.#iteration = new Int32Array(ranks).fill(-1);
    [this.#received, this.#posted, this.#waiting] = [0, 1, 2].map(() => new Uint8Array(ranks)) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    this.#spent = Object.fromEntries(CAUSES.map((cause) => [cause, 0])) as Record<Cause, number>;
    this.#random = mulberry32(seed);
  }

  run(): HaloTimes {
    const { ranks, mode, iterations } = this.#options;
    for (let rank = 0; rank < ranks; rank++) this.#queue.push(this.#skew(), rank * KINDS + START);
    while (this.#queue.length > 0) {
      const time = this.#queue.nextTime;
      const event = this.#queue.pop();
      const [rank, kind] = [Math.floor(event / KINDS), event % KINDS];
      if (kind === START) this.#start(rank, time);
      else this.#arrive(rank, kind, time);
    }
    const exchanges = ranks * iterations;
    const exchangeNs = this.#elapsed / exchanges;
    const causes = Object.fromEntries(CAUSES.map((cause) => [cause, this.#spent[cause] / exchanges]));
    const busy = CAUSES.reduce((sum, cause) => sum + (causes[cause] as number), 0);
    return {
      ...{ ranks, mode, exchangeNs, messages: this.#messages },
      block: this.#torus.block,
      causes: { ...(causes as Record<Cause, number>), waiting: exchangeNs - busy },
      unexpectedShare: this.#unexpected / Math.max(1, this.#messages),
    };
  }

  /** Posts six receives, then packs and sends six faces. */
  #start(rank: number, time: number): void {
    const { terms, ranks, mode } = this.#options;
    this.#iteration[rank] = (this.#iteration[rank] as number) + 1;
    this.#startedAt[rank] = time;
    this.#busyUntil[rank] = time;
    this.#received[rank] = 0;
    if (mode === "alltoallv") this.#work(rank, "sparse", ranks * terms.alltoallvNsPerRank);
    const waited = this.#waiting[rank] as number;
    this.#waiting[rank] = 0;
    this.#posted[rank] = 0;
    for (let direction = 0; direction < DIRECTIONS; direction++) {
      this.#work(rank, "requests", terms.requestNs);
      this.#work(rank, "checks", terms.checkNs);
      const bit = 1 << direction;
      if ((waited & bit) === 0) this.#posted[rank] = this.#posted[rank] | bit;
      else {
        this.#work(rank, "matching", terms.unexpectedNs * bitsBelow(waited, direction));
        this.#take(rank, direction);
      }
    }
    for (let direction = 0; direction < DIRECTIONS; direction++) this.#send(rank, direction);
    this.#endIfAll(rank);
  }

  #send(rank: number, direction: number): void {
    const { terms } = this.#options;
    const bytes = this.#faceBytes(direction);
    this.#work(rank, "pack", this.#packNs(direction, bytes));
    this.#work(rank, "requests", terms.requestNs);
    this.#work(rank, "checks", terms.checkNs);
    this.#work(rank, "stack", terms.stackNs);
    const departs = Math.max(this.#busyUntil[rank] as number, this.#linkFreeAt[rank] as number);
    this.#linkFreeAt[rank] = departs + bytes * terms.wireNsPerByte;
    const peer = neighbour(this.#torus, rank, direction);
    this.#messages++;
    this.#queue.push(this.#linkFreeAt[rank] + terms.wireNs, peer * KINDS + opposite(direction));
  }

  /** A message of this exchange is matched once the processor is free; one of the next exchange waits. */
  #arrive(rank: number, direction: number, time: number): void {
    const { terms } = this.#options;
    const bit = 1 << direction;
    const posted = this.#posted[rank] as number;
    if ((posted & bit) === 0) {
      this.#unexpected++;
      this.#waiting[rank] = (this.#waiting[rank] as number) | bit;
      return;
    }
    this.#busyUntil[rank] = Math.max(time, this.#busyUntil[rank] as number);
    this.#work(rank, "matching", terms.matchNs * bitsBelow(posted, direction));
    this.#posted[rank] = posted & ~bit;
    this.#take(rank, direction);
    this.#endIfAll(rank);
  }

  /** What the receiver does with a message that is matched. */
  #take(rank: number, direction: number): void {
    const { terms } = this.#options;
    this.#work(rank, "stack", terms.stackNs);
    this.#work(rank, "waitany", terms.waitanyNs * (DIRECTIONS - (this.#received[rank] as number)));
    this.#work(rank, "pack", this.#packNs(direction, this.#faceBytes(direction)));
    this.#received[rank] = (this.#received[rank] as number) + 1;
  }

  #endIfAll(rank: number): void {
    if (this.#received[rank] !== DIRECTIONS) return;
    const end = this.#busyUntil[rank] as number;
    this.#elapsed += end - (this.#startedAt[rank] as number);
    if ((this.#iteration[rank] as number) + 1 < this.#options.iterations)
      this.#queue.push(end + this.#skew(), rank * KINDS + START);
  }

  #work(rank: number, cause: Cause, ns: number): void {
    this.#busyUntil[rank] = (this.#busyUntil[rank] as number) + ns;
    this.#spent[cause] += ns;
  }

  #faceBytes(direction: number): number {
    const [x, y, z] = this.#torus.block;
    return DOUBLE_BYTES * ([y * z, x * z, x * y][direction >> 1] ?? 0);
  }

  /** Faces across x are single doubles far apart, across y rows of x doubles, across z one piece. */
  #packNs(direction: number, bytes: number): number {
    const { packNsPerByte } = this.#options.terms;
    const [x] = this.#torus.block;
    return bytes * packNsPerByte * ([1, 1 / x, 0][direction >> 1] ?? 0);
  }

  #skew(): number {
    return -Math.log(1 - this.#random()) * this.#options.skewNs;
  }
}

/** Directions of a set that come before one. */
function bitsBelow(set: number, direction: number): number {
  let count = 0;
  for (let below = set & ((1 << direction) - 1); below !== 0; below &= below - 1) count++;
  return count;
}

/** A generator of numbers in [0, 1) from a seed, by Tommy Ettinger's 32-bit mixing. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import type { MeasuredCost } from "./measured-cost.js";

export type Role = "send" | "recv";

/**
 * By the MPI's type; packed into one run of bytes; packed, and sent as two blocks with a gap between (see ApartTypes).
 */
export type TriedWay = "native" | "packed" | "apart";

/** Messages of each way that are timed in a role, behind one of each that is not. */
const TIMED = 5;
/** Messages of one role, in all these, for which another, once seen, is waited for. */
const PATIENCE = 4;
/** What packing must save to be chosen: less is lost in noise. */
const WORTH = 0.97;

interface Seen {
  messages: number;
  readonly least: Map<TriedWay, number>;
}

/**
 * The first messages of a datatype and a size class that are sent and received by calls that block: they go by each way
 * in turns, and their own times decide. A pack alone does not tell: an MPI overlaps its own with the transfer, and
 * what contiguous bytes cost depends on how they travel. Least times are compared, for waiting only adds; sends and
 * receives together, for what the one side saves the other may wait for.
 */
export class RouteTrial {
  readonly #ways: readonly TriedWay[];
  readonly #seen = new Map<Role, Seen>();

  constructor(ways: readonly TriedWay[] = ["native", "packed"]) {
    this.#ways = ways;
  }

  /** Both ends of a message that count alike take the same way. */
  next(role: Role): TriedWay {
    return this.#ways[(this.#seen.get(role)?.messages ?? 0) % this.#ways.length] as TriedWay;
  }

  /** One more message is over; the cost once it is decided. */
  tell(role: Role, way: TriedWay, ns: number): MeasuredCost | undefined {
    let seen = this.#seen.get(role);
    if (seen === undefined) this.#seen.set(role, (seen = { messages: 0, least: new Map<TriedWay, number>() }));
    // The first of each makes the types and the code.
    if (seen.messages++ >= this.#ways.length) seen.least.set(way, Math.min(seen.least.get(way) ?? Infinity, ns));
    return this.#isOver(seen) ? this.#cost() : undefined;
  }

  #isOver(last: Seen): boolean {
    const needed = this.#ways.length * (TIMED + 1);
    return last.messages >= PATIENCE * needed || [...this.#seen.values()].every(({ messages }) => messages >= needed);
  }

  #cost(): MeasuredCost {
    const timed = [...this.#seen.values()].filter(({ least }) => least.size === this.#ways.length);
    const total = (way: TriedWay): number => timed.reduce((sum, { least }) => sum + (least.get(way) ?? Infinity), 0);
    const [nativeNs, togetherNs] = [total("native"), total("packed")];
    const apartNs = this.#ways.includes("apart") ? total("apart") : Infinity;
    const packedNs = Math.min(togetherNs, apartNs);
    const route = packedNs < WORTH * nativeNs ? "packed" : "native";
    return { route, nativeNs, packedNs, ...(apartNs < WORTH * togetherNs ? { apart: true } : {}) };
  }
}

import type { Route } from "./hints.js";
import type { MeasuredCost } from "./measured-cost.js";

export type Role = "send" | "recv";

/** Messages of each route that are timed in a role, behind one of each that is not. */
const TIMED = 5;
/** Messages of one role for which another, once seen, is waited for. */
const PATIENCE = 8 * TIMED;
/** What packing must save to be chosen: less is lost in noise. */
const WORTH = 0.97;

interface Seen {
  messages: number;
  readonly least: Record<Route, number>;
}

/**
 * The first messages of a datatype and a size class that are sent and received by calls that block: they go by either route
 * in turns, and their own times decide. A pack alone does not tell: an MPI overlaps its own with the transfer, and
 * what contiguous bytes cost depends on how they travel. Least times are compared, for waiting only adds; sends and receives
 * together, for what the one side saves the other may wait for.
 */
export class RouteTrial {
  readonly #seen = new Map<Role, Seen>();

  /** Both ends of a message that count alike take the same route. */
  next(role: Role): Route {
    return (this.#seen.get(role)?.messages ?? 0) % 2 === 0 ? "native" : "packed";
  }

  /** One more message is over; the cost once it is decided. */
  tell(role: Role, route: Route, ns: number): MeasuredCost | undefined {
    let seen = this.#seen.get(role);
    if (seen === undefined) {
      seen = { messages: 0, least: { native: Infinity, packed: Infinity } };
      this.#seen.set(role, seen);
    }
    // The first of each makes the types and the code.
    if (seen.messages++ >= 2) seen.least[route] = Math.min(seen.least[route], ns);
    return this.#isOver(seen) ? this.#cost() : undefined;
  }

  #isOver(last: Seen): boolean {
    const needed = 2 * (TIMED + 1);
    return last.messages >= PATIENCE || [...this.#seen.values()].every(({ messages }) => messages >= needed);
  }

  #cost(): MeasuredCost {
    const timed = [...this.#seen.values()].filter(({ messages }) => messages > 3);
    const total = (route: Route): number => timed.reduce((sum, { least }) => sum + least[route], 0);
    const [nativeNs, packedNs] = [total("native"), total("packed")];
    return { route: packedNs < WORTH * nativeNs ? "packed" : "native", nativeNs, packedNs };
  }
}

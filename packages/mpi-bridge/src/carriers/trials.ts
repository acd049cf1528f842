/** Timed spells of each carrier in a role, behind one that makes its types and code. */
export const TIMED = 7;
/** Spells of one role, in all that it needs, for which another, once seen, is waited for. */
const PATIENCE = 4;
/** What a carrier must save to go before the predicted one, or an earlier one: less is lost in noise. */
const WORTH = 0.97;

/** From when a message was begun until it, and those that were begun meanwhile, were over. */
interface Spell {
  readonly startMs: number;
  endMs: number;
}

interface Seen {
  spells: number;
  /** The first ones of each carrier. */
  readonly first: ReadonlyMap<string, Spell[]>;
}

/**
 * The first messages of a datatype and a size class: they go by each carrier in turns, and their own times decide. A
 * pack alone does not tell: an MPI overlaps its own with the transfer, and what contiguous bytes cost depends on how
 * they travel.
 *
 * The rule: of each carrier the median of seven spells in each role, the carriers in turns, the first of each left out.
 * A spell is from a message's beginning to its end; those that overlap are one, for MPI moves the one inside calls for
 * another. An interruption makes one spell long, and the next of its peer short, for that one finds its message there:
 * three of seven may be either, and the median is still one of the others. Medians of roles are summed, for what the
 * one side saves the other may wait for. The predicted carrier stays unless another takes less than 97 %.
 */
export class Trials {
  readonly #carriers: readonly string[];
  readonly #seen = new Map<string, Seen>();
  #isOver = false;

  /** Trials of carriers, in the order in which they are registered. */
  constructor(carriers: readonly string[]) {
    this.#carriers = carriers;
  }

  /** Whether it is decided. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * The carrier of which fewest spells were told, `first` among equals; both ends of messages that count alike take the
   * same. Who tells nothing stays with `first`.
   */
  next(role: string, first: string): string {
    const told = this.#seen.get(role)?.first;
    const countOf = (carrier: string): number => told?.get(carrier)?.length ?? 0;
    return this.#carriers.reduce((best, each) => (countOf(each) < countOf(best) ? each : best), first);
  }

  /** One more message is over. */
  tell(role: string, carrier: string, startMs: number, endMs: number): void {
    if (this.#isOver) return;
    let seen = this.#seen.get(role);
    if (seen === undefined) {
      seen = { spells: 0, first: new Map(this.#carriers.map((each) => [each, []])) };
      this.#seen.set(role, seen);
    }
    const spells = seen.first.get(carrier) as Spell[];
    const last = spells.at(-1);
    if (last !== undefined && startMs < last.endMs) last.endMs = endMs;
    else {
      seen.spells++;
      if (spells.length <= TIMED) spells.push({ startMs, endMs });
    }
    this.#isOver = this.#isDecided(seen);
  }

  /** Nanoseconds that a carrier's spells took, the medians of all roles together; undefined until it is decided. */
  measuredNs(carrier: string): number | undefined {
    if (!this.#isOver || !this.#carriers.includes(carrier)) return undefined;
    const complete = [...this.#seen.values()].filter(isComplete);
    return complete.reduce((sum, { first }) => sum + medianNs(first.get(carrier) as Spell[]), 0);
  }

  /** Which of some carriers takes least, once it is decided; the predicted one where none saves enough. */
  best(predicted: string, carriers: readonly string[]): string {
    const of = (carrier: string): number => this.measuredNs(carrier) ?? Infinity;
    return carriers.reduce((best, each) => (of(each) < WORTH * of(best) ? each : best), predicted);
  }

  #isDecided(last: Seen): boolean {
    if (!isComplete(last)) return false;
    const needed = this.#carriers.length * (TIMED + 1);
    return last.spells >= PATIENCE * needed || [...this.#seen.values()].every(isComplete);
  }
}

const isComplete = ({ first }: Seen): boolean => [...first.values()].every(({ length }) => length > TIMED);

const medianNs = ([, ...spells]: readonly Spell[]): number => {
  const took = spells.map(({ startMs, endMs }) => 1e6 * (endMs - startMs));
  return took.sort((a, b) => a - b)[took.length >> 1] as number;
};

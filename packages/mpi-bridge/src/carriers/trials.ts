/** Timed messages of each carrier in a role, behind one that makes its types and code. */
export const TIMED = 7;
/** Messages of one role, in all that it needs, for which another, once seen, is waited for. */
const PATIENCE = 4;
/** Messages of one role that tell nothing, one after the other: such as are waited for several at once. None is asked
 * then any more. */
const UNTOLD = 64;
/** What a later carrier must save to go before an earlier one: less is lost in noise. */
const WORTH = 0.97;

/** Messages of a carrier that were told, and what those behind the first took. */
interface Told {
  count: number;
  readonly samplesNs: number[];
}

interface Seen {
  messages: number;
  /** By carrier. */
  readonly told: Map<string, Told>;
}

/**
 * The first messages of a datatype and a size class: they go by each carrier in turns, and their own times decide. A
 * pack alone does not tell: an MPI overlaps its own with the transfer, and what contiguous bytes cost depends on how
 * they travel.
 *
 * The rule: of each carrier the median of seven messages in each role, the carriers in turns, the first of each left
 * out. An interruption makes one message late, and the next of its peer early, for that one finds it there: three of
 * seven may be either, and the median is still one of the others. Medians of roles are summed, for what the one side
 * saves the other may wait for. A carrier goes before one that is registered ahead of it where it takes less than 97 %.
 */
export class Trials {
  readonly #carriers: readonly string[];
  readonly #seen = new Map<string, Seen>();
  readonly #untold = new Map<string, number>();
  /** Best first, once decided. */
  ranking: readonly string[] | undefined;

  /** Trials of carriers, in the order in which they are registered. */
  constructor(carriers: readonly string[]) {
    this.#carriers = carriers;
  }

  /**
   * The carrier of which fewest messages were told, `first` among equals; both ends of messages that count alike take
   * the same. Who tells nothing stays with `first`.
   */
  next(role: string, first: string): string {
    const told = this.#seen.get(role)?.told;
    const countOf = (carrier: string): number => told?.get(carrier)?.count ?? 0;
    return this.#carriers.reduce((best, each) => (countOf(each) < countOf(best) ? each : best), first);
  }

  /** Whether messages of a role, which are asked here one by one, tell anything. */
  isTold(role: string): boolean {
    const untold = this.#untold.get(role) ?? 0;
    if (untold < UNTOLD) this.#untold.set(role, untold + 1);
    return untold < UNTOLD;
  }

  /** One more message is over. */
  tell(role: string, carrier: string, ns: number): void {
    if (this.ranking !== undefined) return;
    this.#untold.delete(role);
    const seen = this.#seen.get(role) ?? { messages: 0, told: new Map<string, Told>() };
    this.#seen.set(role, seen);
    const own = seen.told.get(carrier) ?? { count: 0, samplesNs: [] };
    seen.told.set(carrier, own);
    seen.messages++;
    if (own.count++ > 0 && own.samplesNs.length < TIMED) own.samplesNs.push(ns);
    if (this.#isOver(seen)) this.ranking = this.#ranked();
  }

  /** Nanoseconds that a carrier's messages took, the medians of all roles together; undefined until it is decided. */
  measuredNs(carrier: string): number | undefined {
    if (this.ranking === undefined || !this.#carriers.includes(carrier)) return undefined;
    const complete = [...this.#seen.values()].filter((seen) => this.#isComplete(seen));
    return complete.reduce((sum, { told }) => sum + medianOf(told.get(carrier)?.samplesNs ?? []), 0);
  }

  #isOver(last: Seen): boolean {
    if (!this.#isComplete(last)) return false;
    const needed = this.#carriers.length * (TIMED + 1);
    return last.messages >= PATIENCE * needed || [...this.#seen.values()].every((seen) => this.#isComplete(seen));
  }

  #isComplete({ told }: Seen): boolean {
    return this.#carriers.every((carrier) => (told.get(carrier)?.samplesNs.length ?? 0) >= TIMED);
  }

  #ranked(): readonly string[] {
    this.ranking = []; // decided: measuredNs answers
    const ns = new Map(this.#carriers.map((carrier) => [carrier, this.measuredNs(carrier) as number]));
    const of = (carrier: string): number => ns.get(carrier) as number;
    const best = this.#carriers.reduce((first, each) => (of(each) < WORTH * of(first) ? each : first));
    return [best, ...this.#carriers.filter((each) => each !== best).sort((a, b) => of(a) - of(b))];
  }
}

const medianOf = (samples: readonly number[]): number =>
  [...samples].sort((a, b) => a - b)[samples.length >> 1] as number;

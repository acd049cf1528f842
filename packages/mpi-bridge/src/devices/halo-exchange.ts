import {
  conditions,
  hostMemory,
  packMove,
  unpackMove,
  type Binding,
  type Buffer,
  type Kernel,
  type MemoryKind,
  type Move,
  type Plan,
  type Queue,
  type Span,
} from "@stowage/backend-api";
import { lower } from "@stowage/ir";
import { createEngine, type Engine } from "@stowage/selector";
import type { Communicator } from "../communicator/communicator.js";
import { BridgeError } from "../errors.js";
import { factNumbers, FACT_NUMBERS, requireAgreement } from "./halo-agreement.js";
import type { Halo, HaloOptions } from "./halo-options.js";
import { alltoallvCarrier, persistentCarrier, type HaloCarrier } from "./halo-carriers.js";
import { haloParts, type HaloMessage, type HaloPart } from "./halo-parts.js";
import { readHalo } from "./read-halo.js";

/**
 * The halo exchange of an array whose parts the ranks hold, as a plan: all regions are packed by one launch, sent and
 * received by persistent requests or one alltoallv, and unpacked by one launch. Collective: every rank makes one. Throws on every rank, before
 * anything is sent, where one rank's options are wrong or two do not fit each other (BridgeError, BindingError); a
 * NoBackendError where nothing packs such memory.
 */
export function haloExchange(comm: Communicator, options: HaloOptions): HaloExchange {
  const read = attempt(() => readHalo(options, comm.size));
  const all = new Float64Array(comm.size * FACT_NUMBERS);
  comm.allgather(factNumbers(read.ok ? factsOf(read.value) : undefined), all);
  if (!read.ok) throw read.error;
  requireAgreement(all, comm.size);
  const own = comm.dup();
  const made = attempt(() => new HaloExchange(own, options, read.value));
  const done = new Float64Array(comm.size);
  comm.allgather(Float64Array.of(made.ok ? 1 : 0), done);
  if (made.ok && !done.includes(0)) return made.value;
  if (made.ok) made.value[Symbol.dispose]();
  else own.free();
  if (!made.ok) throw made.error;
  throw new BridgeError("halo exchange", "every rank to bind its part", `an error on rank ${done.indexOf(0)}`);
}

const factsOf = (halo: Halo) => ({ ...halo, elementBytes: lower(halo.element).sizeBytes });

type Attempt<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown };

function attempt<Value>(work: () => Value): Attempt<Value> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}

/** A plan of haloExchange. */
export class HaloExchange implements Disposable {
  /** Regions that an exchange packs, and unpacks. */
  readonly regions: number;
  /** Ranks that an exchange sends to. */
  readonly messages: number;
  /** Bytes of the regions that an exchange packs. */
  readonly sentBytes: number;
  readonly #comm: Communicator;
  readonly #queue: Queue | undefined;
  readonly #held: Disposable[] = [];
  readonly #pack: Bound | undefined;
  readonly #unpack: Bound | undefined;
  readonly #carrier: HaloCarrier;
  #disposed = false;

  /** @internal The communicator is the plan's own. */
  constructor(comm: Communicator, { engine, queue, pinned }: HaloOptions, halo: Halo) {
    this.#comm = comm;
    this.#queue = queue;
    const sides = haloParts(halo, comm.rank);
    // What a rank sends itself needs no message of ours; an alltoallv carries it, as it is without us.
    const keepsOwn = halo.exchange === "persistent";
    const isSent = ({ neighbour }: HaloMessage): boolean => !keepsOwn || neighbour !== comm.rank;
    const messages = { sent: sides.sent.messages.filter(isSent), received: sides.received.messages.filter(isSent) };
    this.regions = sides.sent.parts.length;
    this.messages = messages.sent.length;
    this.sentBytes = sides.sent.parts.reduce((sum, { layout }) => sum + layout.sizeBytes, 0);
    const scattered = (halo.span.memory as Buffer).kind;
    const inPinned = scattered === "host" ? undefined : pinned;
    const sent = this.#buffer(Math.max(1, sides.sent.sizeBytes), inPinned);
    const received = this.#buffer(Math.max(1, sides.received.sizeBytes), inPinned);
    const by = engine ?? this.#hold(createEngine());
    this.#pack = this.#bind(
      by,
      sides.sent.parts.map(({ layout }) => packMove(layout)),
      { sourceKind: scattered, targetKind: sent.memory.kind },
      sides.sent.parts.map((part) => bindingOf(part, halo.span, spanOf(sent, part))),
    );
    const own = sides.sent.parts.filter(({ neighbour }) => keepsOwn && neighbour === comm.rank);
    const arrivedAt = (part: HaloPart): Span => {
      const kept = part.neighbour === comm.rank && own.find(({ direction }) => direction === part.direction);
      return kept ? spanOf(sent, kept) : spanOf(received, part);
    };
    this.#unpack = this.#bind(
      by,
      sides.received.parts.map(({ layout }) => unpackMove(layout)),
      { sourceKind: received.memory.kind, targetKind: scattered },
      sides.received.parts.map((part) => bindingOf(part, arrivedAt(part), halo.span)),
    );
    const carrier = halo.exchange === "persistent" ? persistentCarrier : alltoallvCarrier;
    this.#carrier = carrier(
      comm,
      { bytes: sent.bytes, messages: messages.sent },
      { bytes: received.bytes, messages: messages.received },
    );
  }

  /** Packs what neighbours need and sends it. Until `finish`, the ghosts are not to be read, nor the inner points' halo written. */
  start(): void {
    this.#carrier.prepare();
    this.pack();
    this.#carrier.send();
  }

  /** Returns when the ghosts hold what the neighbours sent. */
  finish(): void {
    this.#carrier.wait();
    this.unpack();
  }

  /** All of an exchange. */
  run(): void {
    this.#carrier.prepare();
    this.pack();
    this.#carrier.sendAndWait();
    this.unpack();
  }

  /** The first phase of `run` alone: to be timed, or for an exchange of one's own. */
  pack(): void {
    this.#pack?.plan.run(this.#queue).wait();
  }

  /** The second: sends what was packed, and returns when all has arrived that the third needs. All ranks call it. */
  exchange(): void {
    this.#carrier.prepare();
    this.#carrier.sendAndWait();
  }

  /** The third: what arrived becomes ghosts. */
  unpack(): void {
    this.#unpack?.plan.run(this.#queue).wait();
  }

  /** Which backends pack and unpack, and what they do with how many regions at once. */
  explain(): string {
    const said = [`pack: ${this.#pack?.explanation ?? "nothing"}`, `unpack: ${this.#unpack?.explanation ?? "nothing"}`];
    return `${this.regions} regions, ${this.messages} messages; ${said.join("; ")}`;
  }

  /** Collective, as the freeing of a communicator is. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#carrier.free();
    for (const held of this.#held.reverse()) held[Symbol.dispose]();
    this.#comm.free();
  }

  #buffer(sizeBytes: number, pinned: HaloOptions["pinned"]): Packed {
    if (pinned === undefined) {
      const bytes = new Uint8Array(sizeBytes);
      return { bytes, memory: hostMemory(bytes) };
    }
    const memory = pinned(sizeBytes);
    if (memory[Symbol.dispose] !== undefined) this.#hold(memory as Disposable);
    return { bytes: memory.bytes, memory };
  }

  #bind(
    engine: Engine,
    moves: readonly Move[],
    kinds: { readonly sourceKind: MemoryKind; readonly targetKind: MemoryKind },
    bindings: readonly Binding[],
  ): Bound | undefined {
    if (moves.length === 0) return undefined;
    const given = conditions({ count: 1, ...kinds });
    const { chosen } = engine.choiceFor(moves, given, { reuse: Infinity });
    const kernel: Kernel = this.#hold(chosen.load(chosen.compile(moves, given)));
    return { plan: this.#hold(kernel.bind(bindings)), explanation: chosen.name };
  }

  #hold<Held extends Disposable>(held: Held): Held {
    this.#held.push(held);
    return held;
  }
}

interface Packed {
  readonly bytes: Uint8Array;
  readonly memory: Buffer;
}

/** A plan, and who made it. */
interface Bound {
  readonly plan: Plan;
  readonly explanation: string;
}

const spanOf = ({ memory }: Packed, { at }: Pick<HaloPart, "at">): Span => ({ memory, originBytes: at });

const bindingOf = ({ layout: { sizeBytes } }: HaloPart, source: Span, target: Span): Binding => ({
  ...{ source, target, count: 1, first: 0, length: sizeBytes },
});

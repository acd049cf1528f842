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
} from "@stowage/backend-api";
import { lower, type Layout } from "@stowage/ir";
import { createEngine, type Engine } from "@stowage/selector";
import type { Communicator } from "../communicator/communicator.js";
import { BridgeError } from "../errors.js";
import type { PersistentRequest } from "../request/persistent-request.js";
import { coordsOf, factNumbers, FACT_NUMBERS, rankAt, requireAgreement } from "./halo-agreement.js";
import type { Halo, HaloOptions } from "./halo-options.js";
import { directionsOf, regionOf } from "./halo-regions.js";
import { readHalo } from "./read-halo.js";

/** Regions start at lines of their own in the packed buffers. */
const LINE_BYTES = 64;

/** A region that goes to a neighbour and the one that comes from it, and where they lie packed. */
interface Exchange {
  readonly neighbour: number;
  readonly sendTag: number;
  readonly receiveTag: number;
  readonly sent: Layout;
  readonly received: Layout;
  readonly at: number;
}

/**
 * The halo exchange of an array whose parts the ranks hold, as a plan: all regions are packed by one launch, sent and
 * received by persistent requests, and unpacked by one launch. Collective: every rank makes one. Throws on every rank, before
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
  /** Messages that an exchange sends, and receives. */
  readonly messages: number;
  /** Bytes that an exchange sends. */
  readonly sentBytes: number;
  readonly #comm: Communicator;
  readonly #queue: Queue | undefined;
  readonly #held: Disposable[] = [];
  readonly #pack: Plan | undefined;
  readonly #unpack: Plan | undefined;
  readonly #sends: readonly PersistentRequest[];
  readonly #receives: readonly PersistentRequest[];
  #disposed = false;

  /** @internal The communicator is the plan's own. */
  constructor(comm: Communicator, { engine, queue, pinned }: HaloOptions, halo: Halo) {
    this.#comm = comm;
    this.#queue = queue;
    const exchanges = exchangesOf(halo, comm.rank);
    const last = exchanges.at(-1);
    const sizeBytes = last === undefined ? 0 : last.at + last.sent.sizeBytes;
    this.messages = exchanges.length;
    this.sentBytes = exchanges.reduce((sum, { sent }) => sum + sent.sizeBytes, 0);
    const scattered = (halo.span.memory as Buffer).kind;
    const packed = scattered === "host" ? undefined : pinned;
    const buffers = [0, 1].map(() => this.#buffer(Math.max(1, sizeBytes), packed)) as [Packed, Packed];
    const by = engine ?? this.#hold(createEngine());
    const bind = (move: (layout: Layout) => Move, side: "sent" | "received"): Plan | undefined =>
      this.#bind(by, scattered, exchanges, side, move, halo, buffers[side === "sent" ? 0 : 1]);
    this.#pack = bind(packMove, "sent");
    this.#unpack = bind(unpackMove, "received");
    const part = ({ bytes }: Packed, { at, sent }: Exchange): Uint8Array => bytes.subarray(at, at + sent.sizeBytes);
    this.#receives = exchanges.map((each) =>
      this.#comm.recvInit(part(buffers[1], each), each.neighbour, { tag: each.receiveTag }),
    );
    this.#sends = exchanges.map((each) =>
      this.#comm.sendInit(part(buffers[0], each), each.neighbour, { tag: each.sendTag }),
    );
  }

  /** Packs what neighbours need and sends it. Until `finish`, the ghosts are not to be read, nor the inner points' halo written. */
  start(): void {
    for (const request of this.#receives) request.start();
    this.#pack?.run(this.#queue).wait();
    for (const request of this.#sends) request.start();
  }

  /** Returns when the ghosts hold what the neighbours sent. */
  finish(): void {
    for (const request of [...this.#receives, ...this.#sends]) request.wait();
    this.#unpack?.run(this.#queue).wait();
  }

  /** All of an exchange. */
  run(): void {
    this.start();
    this.finish();
  }

  /** Collective, as the freeing of a communicator is. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const request of [...this.#receives, ...this.#sends]) request.free();
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
    scattered: MemoryKind,
    exchanges: readonly Exchange[],
    side: "sent" | "received",
    moveOf: (layout: Layout) => Move,
    { span }: Halo,
    packed: Packed,
  ): Plan | undefined {
    if (exchanges.length === 0) return undefined;
    const [data, stream] = [scattered, packed.memory.kind];
    const given = conditions({
      count: 1,
      ...(side === "sent" ? { sourceKind: data, targetKind: stream } : { sourceKind: stream, targetKind: data }),
    });
    const moves = exchanges.map((each) => moveOf(each[side]));
    const { chosen } = engine.choiceFor(moves, given, { reuse: Infinity });
    const kernel: Kernel = this.#hold(chosen.load(chosen.compile(moves, given)));
    const bindings = exchanges.map(({ at, [side]: { sizeBytes } }): Binding => {
      const inPacked = { memory: packed.memory, originBytes: at };
      const [source, target] = side === "sent" ? [span, inPacked] : [inPacked, span];
      return { source, target, count: 1, first: 0, length: sizeBytes };
    });
    return this.#hold(kernel.bind(bindings));
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

/** With each neighbour that there is; a region without points is none. */
function exchangesOf(halo: Halo, rank: number): readonly Exchange[] {
  const { sizes, periodic, grid } = halo;
  const own = coordsOf(rank, grid);
  const directions = directionsOf(sizes.length);
  const exchanges: Exchange[] = [];
  let at = 0;
  directions.forEach((direction, tag) => {
    const place = own.map((coord, k) => coord + (direction[k] as number));
    const isOutside = place.some((coord, k) => periodic[k] !== true && (coord < 0 || coord >= (grid[k] as number)));
    const { sent, received } = regionOf(halo, direction);
    if (isOutside || sent.sizeBytes === 0) return;
    const wrapped = place.map((coord, k) => (coord + (grid[k] as number)) % (grid[k] as number));
    // What comes from there was sent in the opposite direction: directions are listed symmetrically.
    exchanges.push({
      neighbour: rankAt(wrapped, grid),
      sendTag: tag,
      receiveTag: directions.length - 1 - tag,
      sent,
      received,
      at,
    });
    at += Math.ceil(sent.sizeBytes / LINE_BYTES) * LINE_BYTES;
  });
  return exchanges;
}

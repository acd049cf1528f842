import { lower } from "@stowage/ir";
import { createEngine } from "@stowage/selector";
import type { BoundRegions, BoundTerms } from "../carriers/bound/bound-regions.js";
import { messagesBut, type Regions } from "../carriers/bound/regions.js";
import type { Outgoing } from "../carriers/carrier.js";
import { BindingCarriers } from "../carriers/chooser.js";
import type { Communicator } from "../communicator/communicator.js";
import { requireCommunicator } from "../communicator/peer-kind.js";
import { BridgeError } from "../errors.js";
import { factNumbers, FACT_NUMBERS, requireAgreement, sizesOf } from "./halo-agreement.js";
import { CARRIED_BY, type Halo, type HaloCarriage, type HaloOptions } from "./halo-options.js";
import { ghostsOf, haloParts } from "./halo-parts.js";
import { readHalo } from "./read-halo.js";

/**
 * The halo exchange of an array whose parts the ranks hold, as a plan: all regions are packed by one launch, sent and
 * received by persistent requests, one alltoallv or NCCL, and unpacked by one launch; or one launch moves them to the
 * neighbours' arrays. Collective: every rank makes one. Throws on every rank, before anything is sent, where one rank's
 * options are wrong or two do not fit each other (BridgeError, BindingError), or GPUs do not reach each other so; a
 * NoBackendError where nothing packs such memory.
 *
 * @example
 * ```typescript
 * // Each rank holds 64 × 64 doubles and a ghost on each side.
 * const memory = new Float64Array(66 * 66);
 * using halo = haloExchange(openMpi().world, { array: { memory, sizes: [66, 66] }, radius: 1 });
 * for (let step = 0; step < 100; step++) halo.run(); // between steps of the stencil
 * ```
 */
export function haloExchange(comm: Communicator, options: HaloOptions): HaloExchange {
  requireCommunicator("communicator of a halo exchange", comm);
  const read = attempt(() => readHalo(options, comm.size));
  const facts = new Float64Array(comm.size * FACT_NUMBERS);
  comm.allgather(factNumbers(read.ok ? factsOf(read.value) : undefined), facts);
  if (!read.ok) throw read.error;
  requireAgreement(facts, comm.size);
  const own = comm.dup();
  const halo = read.value;
  const regions: Regions = {
    ...{ span: halo.span, ...haloParts(halo, own.rank) },
    layoutAtPeer: (region) => ghostsOf(halo, sizesOf(facts, region.peer), region),
  };
  const chosen = bindTogether(own, options, halo, regions);
  const made = attempt(() => new HaloExchange(own, regions, chosen));
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

/** What carries a halo, why, and what binds this rank's part. */
interface Chosen {
  readonly exchange: Exclude<HaloCarriage, "auto">;
  /** Empty where it was asked for. */
  readonly reason: string;
  readonly bind: () => BoundRegions;
}

/** What all ranks do together before each binds its part. */
function bindTogether(comm: Communicator, options: HaloOptions, halo: Halo, regions: Regions): Chosen {
  const engine = options.engine ?? createEngine();
  const { queue, pinned } = options;
  const terms = { subject: "halo exchange", ranks: comm, engine, queue, pinned };
  using carriers = new BindingCarriers(comm.shared);
  const { exchange, reason } = choose(comm, carriers, halo, regions, terms);
  const [name, form] = CARRIED_BY[exchange];
  const bind = carriers.named(name).bind(regions, { ...terms, form });
  const isOwnEngine = options.engine === undefined;
  return { exchange, reason, bind: () => (isOwnEngine ? endingWith(bind(), engine) : bind()) };
}

function choose(
  comm: Communicator,
  carriers: BindingCarriers,
  { exchange, span }: Halo,
  regions: Regions,
  terms: BoundTerms,
): Pick<Chosen, "exchange" | "reason"> {
  if (exchange !== "auto") return { exchange, reason: "" };
  const { places, types } = comm.shared;
  const messages = regions.sent.regions
    .filter(({ peer }) => peer !== comm.rank)
    .map(({ peer, datatype }): Outgoing => ({
      ...{ placed: places.at(span, types.of(datatype), 1), peer, use: "bound" },
    }));
  const { carrier, reason } = carriers.chooseTogether(regions, messages, { ...terms, isOneHost: isOneHost(comm) });
  return { exchange: carrier.name === "packed" ? "persistent" : (carrier.name as Chosen["exchange"]), reason };
}

function isOneHost(comm: Communicator): boolean {
  const local = comm.splitShared();
  const isWhole = local.size === comm.size;
  local.free();
  return isWhole;
}

/** Lets `carried` dispose of its own engine as it ends. */
function endingWith(carried: BoundRegions, engine: Disposable): BoundRegions {
  const end = carried[Symbol.dispose].bind(carried);
  carried[Symbol.dispose] = () => {
    end();
    engine[Symbol.dispose]();
  };
  return carried;
}

/** The plan that haloExchange makes. What MPI refuses is thrown as an MpiError. */
export class HaloExchange implements Disposable {
  /** How many regions an exchange packs, and unpacks. */
  readonly regions: number;
  /** How many ranks an exchange sends to. */
  readonly messages: number;
  /** Bytes of all regions that an exchange packs. */
  readonly sentBytes: number;
  readonly #comm: Communicator;
  readonly #carried: BoundRegions;
  readonly #choice: string;
  #disposed = false;

  /** @internal The communicator is the plan's own. */
  constructor(comm: Communicator, { sent }: Regions, { exchange, reason, bind }: Chosen) {
    this.#comm = comm;
    this.#choice = reason === "" ? "" : `; ${exchange}: ${reason}`;
    const keeps = exchange === "alltoallv" ? undefined : comm.rank;
    this.regions = sent.regions.length;
    this.messages = messagesBut(sent, keeps).length;
    this.sentBytes = sent.regions.reduce((sum, { layout }) => sum + layout.sizeBytes, 0);
    this.#carried = bind();
  }

  /**
   * Packs what neighbours need and sends it. Until `finish`, the ghosts are not to be read, nor the inner points' halo
   * written.
   */
  start(): void {
    this.#carried.start();
  }

  /** Returns when the ghosts hold what the neighbours sent. */
  finish(): void {
    this.#carried.finish();
  }

  /** Does all of an exchange: `start`, then `finish`. All ranks call it. */
  run(): void {
    this.#carried.run();
  }

  /**
   * Does the first phase of `run` alone, to be timed, or for an exchange of one's own: packs the regions. It does
   * nothing where regions go from array to array.
   */
  pack(): void {
    this.#carried.pack();
  }

  /**
   * Does the second phase: sends what was packed, and returns when all has arrived that the third needs. All ranks call
   * it.
   */
  exchange(): void {
    this.#carried.exchange();
  }

  /** Does the third phase: unpacks what arrived into the ghosts. */
  unpack(): void {
    this.#carried.unpack();
  }

  /** Says which backends pack and unpack, how many regions at once, and why what carries them was chosen. */
  explain(): string {
    return `${this.regions} regions, ${this.messages} messages; ${this.#carried.explanation}${this.#choice}`;
  }

  /** Frees the plan and its communicator. All ranks call it. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#carried[Symbol.dispose]();
    this.#comm.free();
  }
}

import type { Buffer } from "@stowage/backend-api";
import { lower } from "@stowage/ir";
import { createEngine } from "@stowage/selector";
import type { Communicator } from "../communicator/communicator.js";
import { requireCommunicator } from "../communicator/peer-kind.js";
import { BridgeError } from "../errors.js";
import { openNcclGroup } from "../carriers/nccl/meet.js";
import type { CarriedHalo } from "./carried-halo.js";
import { chooseExchange, type ChosenHalo } from "./choose-exchange.js";
import { factNumbers, FACT_NUMBERS, requireAgreement } from "./halo-agreement.js";
import type { Halo, HaloOptions } from "./halo-options.js";
import { haloParts, messagesBut, type HaloSides } from "./halo-parts.js";
import { IpcHalo } from "./ipc-halo.js";
import { NcclHalo } from "./nccl-halo.js";
import { PackedHalo } from "./packed-halo.js";
import { readHalo } from "./read-halo.js";
import { SharedArrays } from "./shared-arrays.js";

/**
 * The halo exchange of an array whose parts the ranks hold, as a plan: all regions are packed by one launch, sent and
 * received by persistent requests, one alltoallv or NCCL, and unpacked by one launch; or one launch moves them to the
 * neighbours' arrays. Collective: every rank makes one. Throws on every rank, before anything is sent, where one rank's
 * options are wrong or two do not fit each other (BridgeError, BindingError), or GPUs do not reach each other so; a
 * NoBackendError where nothing packs such memory.
 */
export function haloExchange(comm: Communicator, options: HaloOptions): HaloExchange {
  requireCommunicator("communicator of a halo exchange", comm);
  const read = attempt(() => readHalo(options, comm.size));
  const facts = new Float64Array(comm.size * FACT_NUMBERS);
  comm.allgather(factNumbers(read.ok ? factsOf(read.value) : undefined), facts);
  if (!read.ok) throw read.error;
  requireAgreement(facts, comm.size);
  const own = comm.dup();
  const halo = chooseExchange(own, options, read.value);
  const carriedBy = meet(own, options, halo, facts);
  const made = attempt(() => new HaloExchange(own, halo, carriedBy));
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

type CarriedBy = (sides: HaloSides) => CarriedHalo;

/** What all ranks do together before each binds its part. */
function meet(comm: Communicator, options: HaloOptions, halo: ChosenHalo, facts: Float64Array): CarriedBy {
  const engine = options.engine ?? createEngine();
  const ending = (carried: CarriedHalo): CarriedHalo =>
    options.engine === undefined ? endingWith(carried, engine) : carried;
  switch (halo.exchange) {
    case "persistent":
    case "alltoallv":
      return (sides) => ending(new PackedHalo(comm, engine, options, halo, sides));
    case "ipc": {
      const arrays = new SharedArrays(comm, halo, facts);
      return (sides) => ending(new IpcHalo(comm, engine, options, halo, sides, arrays));
    }
    case "nccl": {
      const { device = 0 } = halo.span.memory as Buffer;
      const neighbours = messagesBut(haloParts(halo, comm.rank).sent, comm.rank).map(({ neighbour }) => neighbour);
      const group = openNcclGroup(comm, comm.shared, device, neighbours);
      return (sides) => {
        if (group instanceof BridgeError) throw group;
        const carried = attempt(() => new NcclHalo(group, engine, options, halo, sides));
        if (carried.ok) return ending(carried.value);
        // To end it in order would wait for the other ranks.
        group.abort();
        throw carried.error;
      };
    }
  }
}

/** The same, whose engine is its own. */
function endingWith(carried: CarriedHalo, engine: Disposable): CarriedHalo {
  const end = carried[Symbol.dispose].bind(carried);
  carried[Symbol.dispose] = () => {
    end();
    engine[Symbol.dispose]();
  };
  return carried;
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
  readonly #carried: CarriedHalo;
  readonly #choice: string;
  #disposed = false;

  /** @internal The communicator is the plan's own. */
  constructor(comm: Communicator, halo: ChosenHalo, carriedBy: CarriedBy) {
    this.#comm = comm;
    this.#choice = halo.reason === "" ? "" : `; ${halo.exchange}: ${halo.reason}`;
    const sides = haloParts(halo, comm.rank);
    const keeps = halo.exchange === "alltoallv" ? undefined : comm.rank;
    this.regions = sides.sent.parts.length;
    this.messages = messagesBut(sides.sent, keeps).length;
    this.sentBytes = sides.sent.parts.reduce((sum, { layout }) => sum + layout.sizeBytes, 0);
    this.#carried = carriedBy(sides);
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

  /** All of an exchange. */
  run(): void {
    this.#carried.run();
  }

  /**
   * The first phase of `run` alone: to be timed, or for an exchange of one's own. Empty where regions go from array to
   * array.
   */
  pack(): void {
    this.#carried.pack();
  }

  /** The second: sends what was packed, and returns when all has arrived that the third needs. All ranks call it. */
  exchange(): void {
    this.#carried.exchange();
  }

  /** The third: what arrived becomes ghosts. */
  unpack(): void {
    this.#carried.unpack();
  }

  /** Which backends pack and unpack, how many regions at once, and why what carries them was chosen. */
  explain(): string {
    return `${this.regions} regions, ${this.messages} messages; ${this.#carried.explanation}${this.#choice}`;
  }

  /** Collective, as the freeing of a communicator is. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#carried[Symbol.dispose]();
    this.#comm.free();
  }
}

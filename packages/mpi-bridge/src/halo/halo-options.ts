import type { Queue, Span } from "@stowage/backend-api";
import type { Engine, BufferLike } from "@stowage/engine";
import { predefined, type Datatype } from "@stowage/ir";
import type { PinnedBytes } from "../carriers/bound/bound-regions.js";

/** A rank's own part of an array, ghosts included, in C's order. */
export interface HaloArray {
  /** A view, or memory of the host or of a device. */
  readonly memory: BufferLike;
  /** Points along each of one to three dimensions, ghosts included; those of the last lie side by side. */
  readonly sizes: readonly number[];
  /** The datatype of what stands at each point. Default: MPI_DOUBLE. */
  readonly element?: Datatype | undefined;
}

/** What carries the packed regions of a halo exchange: see HaloOptions.exchange. */
export type HaloCarriage = "persistent" | "alltoallv" | "ipc" | "nccl" | "auto";
export const CARRIAGES: readonly HaloCarriage[] = ["persistent", "alltoallv", "ipc", "nccl", "auto"];

/** The carrier of each, and which form of it. */
export const CARRIED_BY: Readonly<Record<Exclude<HaloCarriage, "auto">, readonly [carrier: string, form: string]>> = {
  persistent: ["packed", "persistent"],
  alltoallv: ["packed", "alltoallv"],
  ipc: ["ipc", "ipc"],
  nccl: ["nccl", "nccl"],
};

/** What `haloExchange` takes. Lists have an entry a dimension of the array. */
export interface HaloOptions {
  /** This rank's part of the array. */
  readonly array: HaloArray;
  /** How many ghost points there are on each side: one number for all dimensions, or one for each. */
  readonly radius: number | readonly number[];
  /** Whether each dimension is closed to a ring. Default: none is. */
  readonly periodic?: readonly boolean[] | undefined;
  /** How many ranks there are along each dimension, numbered in C's order. Default: as `processGrid` says. */
  readonly grid?: readonly number[] | undefined;
  /**
   * What carries packed regions: a persistent send and receive for each neighbouring rank, or one alltoallv of all
   * ranks, as TEMPI's case study has it (Pearson et al. 2021, section 6.4). Of arrays in GPUs' memory also "ipc", one
   * launch that moves them to the arrays of neighbours on the same host, or "nccl", a GPU a rank. "auto":
   * "persistent", "ipc" or "nccl", whose carrier is predicted to take least. All ranks give the same. Default:
   * "persistent".
   */
  readonly exchange?: HaloCarriage | undefined;
  /** The engine that packs. Default: one of the plan's own, which ends with it. */
  readonly engine?: Engine | undefined;
  /**
   * The stream of a device in whose order packs and unpacks run. Default: as without a queue, see
   * docs/design/backend-api.md.
   */
  readonly queue?: Queue | undefined;
  /**
   * Gives so many bytes of page-locked memory that a device reaches, for packed regions; of an array on a device only,
   * and needed there where MPI carries them.
   */
  readonly pinned?: ((sizeBytes: number) => PinnedBytes) | undefined;
}

/** Options with nothing left open. */
export interface Halo {
  readonly span: Span;
  readonly sizes: readonly number[];
  readonly radius: readonly number[];
  readonly periodic: readonly boolean[];
  readonly grid: readonly number[];
  readonly exchange: HaloCarriage;
  readonly element: Datatype;
}

export const DEFAULT_ELEMENT: Datatype = predefined("MPI_DOUBLE");

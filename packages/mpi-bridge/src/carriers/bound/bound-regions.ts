import type { Buffer, Queue } from "@stowage/backend-api";
import type { Datatype } from "@stowage/ir";
import type { Engine } from "@stowage/selector";
import type { PersistentRequest } from "../../message/requests/persistent-request.js";
import type { Request } from "../../message/requests/request.js";
import type { Ranks } from "../ranks.js";

/** Regions that were bound, in the phases of an exchange. */
export interface BoundRegions extends Disposable {
  start(): void;
  finish(): void;
  run(): void;
  pack(): void;
  exchange(): void;
  unpack(): void;
  /** Who packs and unpacks, or moves. */
  readonly explanation: string;
}

/** Pinned memory that this process sees: a buffer with its bytes, disposed of by the plan where it is disposable. */
export type PinnedBytes = Buffer & { readonly bytes: Uint8Array } & Partial<Disposable>;

/** Packed bytes for each rank. */
export interface PackedParts {
  readonly buffer: Uint8Array;
  readonly datatype: Datatype;
  readonly counts: readonly number[];
  readonly displacements: readonly number[];
}

/** All ranks of a communicator of which nobody else sends anything. */
export interface BoundRanks extends Ranks {
  readonly settings: { readonly timeoutMs?: number | undefined };
  sendInit(bytes: Uint8Array, dest: number, options?: { readonly tag?: number }): PersistentRequest;
  recvInit(bytes: Uint8Array, source: number, options?: { readonly tag?: number }): PersistentRequest;
  alltoallv(sent: PackedParts, received: PackedParts): void;
  ialltoallv(sent: PackedParts, received: PackedParts): Request;
}

/** What regions are bound with. */
export interface BoundTerms {
  /** Whose exchange it is, for errors. */
  readonly subject: string;
  readonly ranks: BoundRanks;
  /** Whether its ranks are on one, where something is to be chosen. */
  readonly isOneHost?: boolean;
  readonly engine: Engine;
  /** The stream of a device in whose order packs and unpacks run. */
  readonly queue?: Queue | undefined;
  /** Gives page-locked memory that a device reaches. */
  readonly pinned?: ((sizeBytes: number) => PinnedBytes) | undefined;
  /** The carrier's form that was chosen. */
  readonly form?: string;
}

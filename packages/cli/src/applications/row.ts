import type { Machine } from "@stowage/bench";

export const APPLICATIONS_SCHEMA = "stowage-applications/1";
export const APPLICATIONS = ["stencil-3d", "stencil-2d", "vectors", "transfers"] as const;
export type ApplicationName = (typeof APPLICATIONS)[number];

/** Where data lie: a simulated device's times mean nothing. */
export type Where = "host" | "device" | "simulated";

/** Median milliseconds of an iteration, of the slowest rank in each phase. */
export interface StencilTimes {
  readonly phases: Readonly<Record<"compute" | "pack" | "exchange" | "unpack", number>>;
  /** Pack, exchange and unpack together. */
  readonly haloMs: number;
  readonly overallMs: number;
  /** The same two launches or packs with nothing between them. */
  readonly packAloneMs: number;
  readonly unpackAloneMs: number;
  /** Who packs and unpacks on rank 0. */
  readonly by: string;
}

interface Measured {
  readonly ranks: number;
  readonly mpi: string;
  readonly where: Where;
  /** GPUs that the ranks share; 0 on the host. */
  readonly gpus: number;
  readonly iterations: number;
  /** What did not hold what a serial run leaves is not written. */
  readonly verified: true;
}

export interface StencilRow extends Measured {
  readonly application: "stencil-3d" | "stencil-2d";
  /** Points of a rank along each dimension. */
  readonly points: number;
  readonly element: "float" | "double";
  /** Parts of odd and unequal lengths, and ranks that begin at other times. */
  readonly uneven: boolean;
  /** Bytes that rank 0 packs. */
  readonly packedBytes: number;
  readonly flopsPerPoint: number;
  readonly checkedPoints: number;
  readonly ways: Readonly<Record<string, StencilTimes>>;
}

/**
 * Half a round trip of a vector between two ranks; of contiguous bytes: one block, and copies between a host and its
 * GPU.
 */
export interface VectorRow extends Measured {
  readonly application: "vectors" | "transfers";
  readonly blockBytes: number;
  readonly packedBytes: number;
  readonly ways: Readonly<Record<string, VectorTimes>>;
}

export interface VectorTimes {
  readonly medianNs: number;
  readonly minNs: number;
  readonly maxNs: number;
  readonly by?: string | undefined;
}

export type ApplicationRow = StencilRow | VectorRow;

export interface ApplicationResults {
  readonly schema: typeof APPLICATIONS_SCHEMA;
  readonly command: string;
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly rows: readonly ApplicationRow[];
}

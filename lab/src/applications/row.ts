import { grouped, type AnyRow } from "@stowage/bench";

/** Where data lie: a simulated device's times mean nothing. */
export type Where = "host" | "device" | "simulated";

/** Median milliseconds of an iteration, of the slowest rank in each phase. */
export interface StencilTimes {
  readonly phases: Readonly<Record<"compute" | "pack" | "exchange" | "unpack", number>>;
  /** Pack, exchange and unpack together. */
  readonly haloMs: number;
  readonly overallMs: number;
  /** Two launches, or packs, with nothing between them. */
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

/** A row a way, as result files have them. */
export const rowsOfWays = ({ ways, ...row }: ApplicationRow): readonly AnyRow[] =>
  Object.entries(ways).map(([contender, times]) => ({
    ...{ workload: row.application, contender, ...row, runs: row.iterations },
    ...(times as StencilTimes | VectorTimes),
  }));

/** What a way's own row says. */
const OF_WAY = new Set(
  "contender workload runs phases haloMs overallMs packAloneMs unpackAloneMs by medianNs minNs maxNs".split(" "),
);

/** Reads back what rowsOfWays made: rows of one case together. */
export function rowsWithWays(rows: readonly AnyRow[]): readonly ApplicationRow[] {
  const shared = (row: AnyRow) => Object.fromEntries(Object.entries(row).filter(([name]) => !OF_WAY.has(name)));
  const own = (row: AnyRow) => Object.fromEntries(Object.entries(row).filter(([name]) => OF_WAY.has(name)));
  return [...grouped(rows, (row) => JSON.stringify(shared(row))).values()].map((group) => ({
    ...shared(group[0] as AnyRow),
    ways: Object.fromEntries(group.map((row) => [row.contender, own(row)])),
  })) as unknown as readonly ApplicationRow[];
}

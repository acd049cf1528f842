import { formatBytes, formatNs, grouped } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { conditions, packMove, unpackMove, type Move, type Profile } from "@stowage/backend-api";
import { canonicalise, hvector, lower, predefined, type Layout } from "@stowage/ir";
import { createEngine, type Engine } from "@stowage/selector";
import type { ApplicationRow } from "./row.js";

/** One line's point of TEMPI's figures 9 and 10. */
export interface LatencyPoint {
  readonly series: string;
  readonly bytes: number;
  readonly ns: number;
}

/** A point of figure 10: a packed object's bytes in blocks of so many. */
export interface PackPoint extends LatencyPoint {
  readonly blockBytes: number;
}

/** Figure 9a of what was measured: the four operations by size, of GPUs where there are some. */
export function operationPoints(rows: readonly ApplicationRow[]): readonly LatencyPoint[] {
  const transfers = rows.filter(({ application }) => application === "transfers");
  const ofGpus = transfers.filter(({ gpus }) => gpus > 0);
  const most = Math.max(...ofGpus.map(({ gpus }) => gpus));
  return (ofGpus.length === 0 ? transfers : ofGpus.filter(({ gpus }) => gpus === most)).flatMap((row) => {
    const ways = row.ways as Readonly<Record<string, { readonly medianNs: number }>>;
    return Object.entries(ways).map(([series, { medianNs }]) => ({ series, bytes: row.packedBytes, ns: medianNs }));
  });
}

/** Figure 9b: equations 1 to 3 with packs and unpacks of no time; none of a size whose terms were not all measured. */
export function partialPoints(operations: readonly LatencyPoint[]): readonly LatencyPoint[] {
  const sizes = [...new Set(operations.map(({ bytes }) => bytes))];
  return sizes.flatMap((bytes): LatencyPoint[] => {
    const at = (name: string): number | undefined =>
      operations.find(({ series, bytes: size }) => series === name && size === bytes)?.ns;
    const [out, back, host, device] = ["d2h", "h2d", "cpu-cpu", "gpu-gpu"].map(at);
    if (out === undefined || back === undefined || host === undefined || device === undefined) return [];
    return [
      { series: "one-shot", bytes, ns: host },
      { series: "device", bytes, ns: device },
      { series: "staged", bytes, ns: out + host + back },
    ];
  });
}

const OBJECTS = [64, 1024, 2 ** 14, 2 ** 18, 2 ** 20, 2 ** 22];
const BLOCKS = [4, 8, 16, 32, 64, 128, 256];
const STRIDE_BYTES = 512;
const TARGETS = { "one-shot": "pinned", device: "device" } as const;

/** Figure 10 by a profile: what cuda-strided is predicted to take, launch and wait included. No device is asked. */
export function packPoints(profile: Profile): readonly PackPoint[] {
  using engine = createEngine({ cuda: () => openSimulatedCuda(), profile });
  return OBJECTS.flatMap((bytes) =>
    BLOCKS.filter((blockBytes) => blockBytes <= bytes).flatMap((blockBytes) => {
      const type = hvector(bytes / blockBytes, blockBytes, STRIDE_BYTES, predefined("MPI_BYTE"));
      return packsOf(engine, profile, canonicalise(lower(type)), bytes, blockBytes);
    }),
  );
}

function packsOf(
  engine: Engine,
  profile: Profile,
  layout: Layout,
  bytes: number,
  blockBytes: number,
): readonly PackPoint[] {
  return Object.entries(TARGETS).flatMap(([strategy, packed]) => {
    const kinds = { count: 1, sourceKind: "device", targetKind: packed } as const;
    const back = { count: 1, sourceKind: packed, targetKind: "device" } as const;
    return [
      { series: `pack, ${strategy}`, bytes, blockBytes, ns: predictedNs(engine, profile, packMove(layout), kinds) },
      { series: `unpack, ${strategy}`, bytes, blockBytes, ns: predictedNs(engine, profile, unpackMove(layout), back) },
    ];
  });
}

function predictedNs(engine: Engine, profile: Profile, move: Move, kinds: Parameters<typeof conditions>[0]): number {
  const given = conditions(kinds);
  const { chosen } = engine.choiceFor([move], given, { backend: "cuda-strided" });
  return chosen.predict?.([move], given, profile).runNs ?? 0;
}

/** A line a size. */
export const pointsText = (title: string, points: readonly LatencyPoint[]): string =>
  points.length === 0 ? "" : `${title}\n\n${rowsTable([...grouped(points, ({ bytes }) => bytes)].map(lineOf))}`;

const lineOf = ([bytes, own]: readonly [number, readonly LatencyPoint[]]) => ({
  bytes: formatBytes(bytes),
  ...Object.fromEntries(own.map(({ series, ns }) => [series, formatNs(ns)])),
});

import { contiguous, predefined, vector, type Datatype, type PredefinedName } from "@stowage/ir";
import { blocking, geometric, halfTrip, inTurns, turnsOf, type Bench, type BridgeExperiment } from "./bench.js";

const SHORT_BYTES = 512;
const MOST_BYTES = { quick: 1 << 18, full: 1 << 19 };
const KINDS: readonly (readonly [series: string, name: PredefinedName, bytes: number])[] = [
  ["char", "MPI_CHAR", 1],
  ["short", "MPI_SHORT", 2],
  ["int", "MPI_INT", 4],
  ["double", "MPI_DOUBLE", 8],
];

/** Section 3.5: our own packing, where it is quicker than the MPI's. */
export const datatypes: BridgeExperiment = (bench) => {
  if (bench.comm.rank > 1) return;
  const { quick } = bench;
  for (const bytes of geometric(8, SHORT_BYTES, quick ? 4 : 2)) measure(bench, "short", bytes);
  const most = quick ? MOST_BYTES.quick : MOST_BYTES.full;
  for (const bytes of geometric(1024, most, quick ? 4 : 2)) measure(bench, "long", bytes);
};

function measure(bench: Bench, panel: string, bytes: number): void {
  const { comm, world, point } = bench;
  const types: readonly (readonly [string, Datatype])[] = [
    ["contiguous", contiguous(bytes, predefined("MPI_BYTE"))],
    ...KINDS.map(([series, name, width]) => [series, vector(bytes / width, 1, 2, predefined(name))] as const),
  ];
  const [out, into] = [new Uint8Array(2 * bytes), new Uint8Array(2 * bytes)];
  const trip = blocking(comm);
  const turns = turnsOf(bench, bytes * 4);
  const committed = types.map(([, datatype]) => world.commit(datatype, { carrier: "auto" }));
  const trips = committed.map((datatype) => {
    const [sent, received] = [out, into].map((buffer) => ({ buffer, datatype, count: 1 }));
    return () => halfTrip(trip, sent ?? out, received ?? into, 1 - comm.rank, turns);
  });
  const times = inTurns(bench, trips);
  types.forEach(([series], i) => point(panel, `bridge, ${series}`, bytes, times[i] as readonly number[]));
  for (const type of committed) type[Symbol.dispose]();
}

import { hostMemory } from "@stowage/backend-api";
import { predefined, vector } from "@stowage/ir";
import { blocking, geometric, halfTrip, inTurns, turnsOf, type BridgeExperiment } from "./bench.js";

const MOST_BYTES = 1 << 16;
const OFFSETS = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const INT_BYTES = 4;

/** Section 3.6. */
export const alignment: BridgeExperiment = (bench) => {
  const { comm, world, point, quick } = bench;
  if (comm.rank > 1) return;
  const [out, into] = [3, 3].map((times) => hostMemory(new Uint8Array(times * MOST_BYTES)));
  const trip = blocking(comm);
  for (const bytes of geometric(quick ? 64 : 16, MOST_BYTES, quick ? 8 : 4)) {
    const datatype = world.commit(vector(bytes / INT_BYTES, 1, 2, predefined("MPI_INT")), { carrier: "auto" });
    const turns = turnsOf(bench, bytes * 4);
    const trips = OFFSETS.map((originBytes) => {
      const [sent, received] = [out, into].map((memory) => {
        const buffer = { memory: memory as ReturnType<typeof hostMemory>, originBytes };
        return { buffer, datatype, count: 1 };
      });
      return () =>
        halfTrip(
          trip,
          sent as NonNullable<typeof sent>,
          received as NonNullable<typeof received>,
          1 - comm.rank,
          turns,
        );
    });
    const times = inTurns(bench, trips);
    OFFSETS.forEach((offset) => point("latency", `bridge, ${offset}`, bytes, times[offset] as readonly number[]));
    datatype[Symbol.dispose]();
  }
};

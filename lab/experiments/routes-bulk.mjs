import { indexed, predefined } from "@stowage/ir";
import { cellsOn } from "../parts/device.mjs";
import { backendsBy, routesExperiment, timesAndPredictions } from "../parts/routes.mjs";

const NAMES = ["bulk/x64", "staged/cuda-generic", "pipelined/cuda-generic", "staged/dma"];

/** Blocks of 1 to 8 doubles at irregular places, `percent` of the memory between first and last. */
function irregular(packedBytes, percent) {
  const [lengths, places] = [[], []];
  let [state, place, bytes] = [12_345, 0, 0];
  const random = (n) => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % n;
  while (bytes < packedBytes) {
    const length = Math.min(1 + random(8), (packedBytes - bytes) / 8);
    lengths.push(length);
    places.push(place);
    bytes += 8 * length;
    place += length + 1 + random(Math.max(1, Math.round((2 * 4.5 * (100 - percent)) / percent) - 1));
  }
  return indexed(lengths, places, predefined("MPI_DOUBLE"));
}

export default routesExperiment({
  name: "routes-bulk",
  question: "Where does a section whole over the bus, packed by the processor, beat packing on multiprocessors?",
  budgetMs: 25,
  *cells(gpu, { simulated }) {
    for (const percent of [10, 50, 90])
      for (const size of simulated ? [4096] : [10, 13, 16, 18, 20, 22, 24].map((power) => 2 ** power))
        yield* cellsOn(gpu, `irregular-${percent}/${size}`, irregular(size, percent));
  },
  contenders: (cell) => backendsBy(cell, NAMES, { packed: "host", count: 1 }),
  text: timesAndPredictions,
});

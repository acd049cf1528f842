import { indexed, predefined } from "@stowage/ir";
import { backendOn, backendsOn, cellsOn, onGpu, predictedText, present, SIMULATED } from "../parts/device.mjs";
import { timesText } from "../dist/times-text.js";

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

export default {
  name: "routes-bulk",
  question: "Where does a section whole over the bus, packed by the processor, beat packing on multiprocessors?",
  kind: "moves",
  options: SIMULATED,
  trial: { simulated: true },
  sampling: () => ({ budgetMs: 25 }),
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      const backends = backendsOn(gpu);
      for (const percent of [10, 50, 90])
        for (const size of given.simulated ? [4096] : [10, 13, 16, 18, 20, 22, 24].map((power) => 2 ** power))
          for (const cell of cellsOn(gpu, `irregular-${percent}/${size}`, irregular(size, percent)))
            yield { ...cell, backends };
    });
  },
  contenders: (cell) =>
    present(
      Object.fromEntries(
        NAMES.map((name) => [name, backendOn(cell, cell.backends.get(name), { packed: "host", count: 1 })]),
      ),
    ),
  text: (rows) => `${timesText(rows)}\n\n${predictedText(rows)}`,
};

import { dense, layout } from "@stowage/ir";
import { optionsExperiment } from "../parts/options-race.mjs";

const RUNS = [2640, 8160, 16320, 24480];
/** Bytes by which a source lies behind its target modulo 4 KiB, as far as both memories begin alike. */
const DISTANCES = [0, 64, 256, 1024, 2048, 3072, 3840, 4032];

export default optionsExperiment({
  name: "aliased-runs",
  question: "Do long runs take longer where source and target lie near each other modulo 4 KiB?",
  rounds: 25,
  contenders: {
    aligned: { alignedStoresBytes: 1024, repMovsbBytes: Infinity },
    anywhere: { alignedStoresBytes: Infinity, repMovsbBytes: Infinity },
    repMovsb: { repMovsbBytes: 1024 },
  },
  *shapes() {
    for (const run of RUNS)
      for (const distance of DISTANCES) {
        const type = layout(distance, dense(run), { lowerBoundBytes: 0, extentBytes: distance + run });
        yield { workload: `${run} bytes from ${distance}`, type };
      }
  },
});

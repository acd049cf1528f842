import { optionsExperiment, packedShapes, shapesOption } from "../parts/options-race.mjs";

const SIZES = [32, 128, 1024, 4096].map((kib) => kib * 1024);

export default optionsExperiment({
  name: "long-runs",
  question: "Are long runs a little apart packed faster by rounds of vectors or by REP MOVSB?",
  rounds: 15,
  contenders: { rounds: { repMovsbBytes: Infinity }, repMovsb: { repMovsbBytes: 2048 } },
  options: shapesOption(["2048/2112", "3072/3136", "4096/4160", "24496/24560", "73488/73552"]),
  trial: { shapes: ["2048/2112"] },
  shapes: (given) => packedShapes(given, SIZES),
});

import { optionsExperiment, longShapes, shapesOption } from "../parts/options-race.mjs";

const SIZES = [2, 8, 16, 32, 128, 1024, 4096].map((kib) => kib * 1024);

export default optionsExperiment({
  name: "long-runs",
  question: "Are long runs moved faster by rounds of vectors or by REP MOVSB?",
  rounds: 15,
  contenders: { rounds: { repMovsbBytes: Infinity }, repMovsb: { repMovsbBytes: 1024 } },
  options: {
    ...shapesOption([
      ...["1032/1200", "1536/1600", "1944/2048", "2048/2112", "2916/3072", "3072/3136", "4096/4160", "8152/8400"],
      ...["16320/16384", "24496/24560", "73488/73552"],
    ]),
    memories: { kind: "number", says: "memories in turn, so that each was used so many calls ago", byDefault: 1 },
  },
  trial: { shapes: ["2048/2112"] },
  shapes: (given) => longShapes(given, SIZES),
});

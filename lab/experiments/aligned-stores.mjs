import { longShapes, optionsExperiment, shapesOption } from "../parts/options-race.mjs";

const SIZES = [16, 256, 4096].map((kib) => kib * 1024);

export default optionsExperiment({
  name: "aligned-stores",
  question: "Do long runs gain by stores that keep to lines of the target?",
  rounds: 15,
  contenders: { anywhere: { alignedStoresBytes: Infinity }, aligned: { alignedStoresBytes: 1024 } },
  options: shapesOption(["1032/1200", "1536/1600", "1944/2048", "2916/3072", "3072/3136", "8152/8400", "24488/24600"]),
  trial: { shapes: ["1032/1200"] },
  shapes: (given) => longShapes(given, SIZES),
});

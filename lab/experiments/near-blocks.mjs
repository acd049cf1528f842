import { optionsExperiment, packedShapes, shapesOption } from "../parts/options-race.mjs";

const SHAPES = "17/24 12/16 12/24 20/24 9/16 6/8 5/8 4/8 3/4 2/4 1/2 36/40".split(" ");

export default optionsExperiment({
  name: "near-blocks",
  question: "What does permutedBlocks bring to short blocks near each other?",
  rounds: 15,
  contenders: { apart: { permutedBlocks: false }, together: { permutedBlocks: true } },
  options: shapesOption(SHAPES),
  trial: { shapes: ["17/24"] },
  shapes: (given) => packedShapes(given, [1, 32, 1024, 16384].map((kib) => kib * 1024)), // prettier-ignore
});

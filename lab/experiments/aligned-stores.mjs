import { blocksAt, elementOf, optionsExperiment, shapesOption } from "../parts/options-race.mjs";

const SIZES = [16, 256, 4096].map((kib) => kib * 1024);

/** Blocks at a stride, packed and unpacked: of a block that is no multiple of a line, most targets begin inside one. */
function* shapes({ shapes: given }) {
  for (const [block, stride] of given.map((shape) => shape.split("/").map(Number)))
    for (const size of SIZES) {
      const count = Math.max(1, Math.floor(size / block));
      yield { workload: `${count} of ${block} at ${stride} bytes`, type: elementOf(blocksAt(count, block, stride)) };
    }
}

export default optionsExperiment({
  name: "aligned-stores",
  question: "Do long runs gain by stores that keep to lines of the target?",
  rounds: 15,
  contenders: { anywhere: { alignedStoresBytes: Infinity }, aligned: { alignedStoresBytes: 1024 } },
  options: shapesOption(["1032/1200", "1536/1600", "1944/2048", "2916/3072", "3072/3136", "8152/8400", "24488/24600"]),
  trial: { shapes: ["1032/1200"] },
  shapes,
});

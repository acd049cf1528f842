import { targetHere } from "@stowage/backend-x64";
import { blocksAt, elementOf, optionsExperiment } from "../parts/options-race.mjs";

const padded = (fillBuffers) => ({ target: { ...targetHere(), fillBuffers }, paddedBlocks: true, paddedPages: true });
/** Blocks, their bytes and their stride. The first are of 16 MiB packed, the others in many pages. */
const SHAPES = [
  ...[12, 20, 40, 92].flatMap((bytes) =>
    [96, 128, 320, 1000]
      .filter((stride) => stride > bytes)
      .map((stride) => [Math.round(2 ** 24 / bytes), bytes, stride]),
  ),
  ...[6144, 6560, 16_400, 40_880].map((stride) => [8192, 16, stride]),
].filter(([count, , stride]) => count * stride <= 2 ** 30);

export default optionsExperiment({
  name: "padded-blocks",
  question: "For how many fill buffers does NOP padding help short blocks out of cache, and in many pages?",
  rounds: 9,
  contenders: {
    plain: { paddedBlocks: false, paddedPages: false },
    ...Object.fromEntries([24, 36, 48, 64].map((count) => [`padded for ${count}`, padded(count)])),
  },
  *shapes() {
    for (const [count, bytes, stride] of SHAPES)
      yield { workload: `${count} blocks of ${bytes} at ${stride}`, type: elementOf(blocksAt(count, bytes, stride)) };
  },
});

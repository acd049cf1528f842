import { blocksAt, elementOf, optionsExperiment } from "../parts/options-race.mjs";

const STRIDES = [6560, 16_400, 40_880];
const BLOCKS = [8, 16, 40, 64];
const COUNTS = [1100, 1600, 2000, 3000, 4000];

export default optionsExperiment({
  name: "padded-pages",
  question: "From how many pages on do rounds of one block with NOP padding gain?",
  rounds: 15,
  options: { counts: { kind: "numbers", says: "blocks", byDefault: COUNTS } },
  contenders: {
    plain: { paddedPages: false },
    padded: {},
  },
  *shapes({ counts }) {
    for (const stride of STRIDES)
      for (const bytes of BLOCKS)
        for (const count of counts)
          yield {
            workload: `${count} blocks of ${bytes} at ${stride}`,
            type: elementOf(blocksAt(count, bytes, stride)),
          };
  },
});

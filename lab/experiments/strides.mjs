import { blocksAt, elementOf, optionsExperiment } from "../parts/options-race.mjs";

const BLOCK_BYTES = 16;
const STRIDES = [128, 192, 512, 1032, 2048, 2064, 4096, 4112, 6144, 6560, 8192, 12288, 16400, 24576, 40880];
const COUNTS = [128, 512, 2048, 8192, 65536];
const MOST_ARRAY_BYTES = 2 ** 29;
const OFF = {
  longRounds: false,
  paddedConflicts: false,
  fencedConflicts: false,
  paddedStores: false,
  paddedPages: false,
};

export default optionsExperiment({
  name: "strides",
  question: "What do long rounds, limited set conflicts and padded pages bring to short blocks far apart?",
  rounds: 11,
  contenders: {
    plain: OFF,
    "long rounds": { ...OFF, longRounds: true },
    "limited set conflicts": { ...OFF, longRounds: true, paddedConflicts: true, fencedConflicts: true },
    "padded stores": { ...OFF, longRounds: true, paddedConflicts: true, paddedStores: true },
    "padded pages": { ...OFF, longRounds: true, paddedPages: true },
  },
  *shapes() {
    for (const stride of STRIDES)
      for (const count of COUNTS.filter((each) => each * stride <= MOST_ARRAY_BYTES))
        yield {
          workload: `${count} blocks of ${BLOCK_BYTES} at ${stride}`,
          type: elementOf(blocksAt(count, BLOCK_BYTES, stride)),
        };
  },
});

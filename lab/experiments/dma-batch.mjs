import { copyBatch, copyBytes } from "@stowage/cuda-driver";
import { onGpu, SIMULATED } from "../parts/device.mjs";

const SPAN = 2 ** 20;
const TURNS = 16;
const COPY_BYTES = 24;
const APART = 4096;
const ends = (n, start) => Float64Array.from({ length: n }, (_, i) => start + i * APART);

export default {
  name: "dma-batch",
  question: "From how many copies on is one batch cheaper than a call each, with the same addresses and with others?",
  kind: "times",
  options: SIMULATED,
  trial: { simulated: true },
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      const [source, target] = [0, 1].map(() => gpu.context.deviceMemory(TURNS * SPAN));
      const event = gpu.context.event();
      for (const n of [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64])
        yield { label: { workload: `${n} copies of ${COPY_BYTES} bytes` }, n, gpu, event, source, target };
      for (const memory of [source, target]) memory[Symbol.dispose]();
    });
  },
  contenders({ n, gpu: { context, stream }, event, source, target }) {
    const batch = () => [
      copyBatch(context, ends(n, target.address), ends(n, source.address), new Float64Array(n).fill(COPY_BYTES)),
    ];
    const each = () =>
      Array.from({ length: n }, (_, i) =>
        copyBytes(context, target.address + i * APART, source.address + i * APART, COPY_BYTES),
      );
    const entrant = (copies, moves) => {
      let turn = 0;
      const run = () => {
        const bytes = turn++ % TURNS < TURNS - 1 ? SPAN : -(TURNS - 1) * SPAN;
        if (moves) for (const copy of copies) copy.shift(bytes, bytes);
        for (const copy of copies) copy.run(stream);
        event.record(stream);
        event.synchronize();
      };
      return { run };
    };
    return {
      batch: entrant(batch(), false),
      each: entrant(each(), false),
      "batch, moved": entrant(batch(), true),
      "each, moved": entrant(each(), true),
    };
  },
};

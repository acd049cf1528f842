// From how many copies on is one batch cheaper than a call each: node batch.mjs. Copies of 24 bytes on the device, with
// other addresses at every run and with the same; medians in microseconds, the wait included, by turns.
import { openCuda, openSimulatedCuda, copyBatch, copyBytes } from "@stowage/cuda-driver";

const context = (process.argv.includes("--simulated") ? openSimulatedCuda() : openCuda()).context();
const stream = context.stream();
const event = context.event();
const SPAN = 1 << 20;
const [source, target] = [context.deviceMemory(16 * SPAN), context.deviceMemory(16 * SPAN)];
const ends = (n, start) => Float64Array.from({ length: n }, (_, i) => start + i * 4096);

for (const n of [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64]) {
  const batch = copyBatch(context, ends(n, target.address), ends(n, source.address), new Float64Array(n).fill(24));
  const each = Array.from({ length: n }, (_, i) =>
    copyBytes(context, target.address + i * 4096, source.address + i * 4096, 24),
  );
  let turn = 0;
  const moved = (copies) => {
    const bytes = turn++ % 16 < 15 ? SPAN : -15 * SPAN;
    for (const copy of copies) copy.shift(bytes, bytes);
  };
  const run = (copies) => {
    for (const copy of copies) copy.run(stream);
    event.record(stream);
    event.synchronize();
  };
  const calls = {
    batch: () => run([batch]),
    each: () => run(each),
    "batch, moved": () => (moved([batch]), run([batch])),
    "each, moved": () => (moved(each), run(each)),
  };
  const times = Object.keys(calls).map(() => []);
  for (let round = -20; round < 40; round++)
    Object.values(calls).forEach((call, i) => {
      turn = 0;
      for (let again = 0; again < 16; again++) {
        const start = process.hrtime.bigint();
        call();
        if (round >= 0) times[i].push(Number(process.hrtime.bigint() - start));
      }
    });
  const medians = times.map((list) => (list.sort((a, b) => a - b)[list.length >> 1] / 1000).toFixed(2));
  console.log(
    `${n} copies: ${Object.keys(calls)
      .map((name, i) => `${name} ${medians[i]}`)
      .join(", ")}`,
  );
}

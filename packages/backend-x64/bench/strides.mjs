// Short blocks far apart, with and without longRounds, paddedConflicts and fencedConflicts, and paddedPages: node
// packages/backend-x64/bench/strides.mjs FILE [ROUNDS]
import { packMove, unpackMove } from "@stowage/backend-api";
import { dense, layout, stream } from "@stowage/ir";
import { probeMachine } from "../dist/memory/machine.js";
import { lineAligned } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { plansOfOptions } from "./plans-of-options.mjs";
import { rowsOfCell, summarise, writeResults } from "./results.mjs";

const [, , file = "results/epyc/strides.json", rounds = "11"] = process.argv;
const BLOCK_BYTES = 16;
const STRIDES = [128, 192, 512, 1032, 2048, 2064, 4096, 4112, 6144, 6560, 8192, 12288, 16400, 24576, 40880];
const COUNTS = [128, 512, 2048, 8192, 65536];
const MOST_ARRAY_BYTES = 512 * 1024 * 1024;
/** The first is what the others are compared with. */
const OPTIONS = {
  plain: { longRounds: false, paddedConflicts: false, fencedConflicts: false, paddedPages: false },
  "long rounds": { longRounds: true, paddedConflicts: false, fencedConflicts: false, paddedPages: false },
  "limited set conflicts": { longRounds: true, paddedConflicts: true, fencedConflicts: true, paddedPages: false },
  "padded pages": { longRounds: true, paddedConflicts: false, fencedConflicts: false, paddedPages: true },
};

/** A plan for each set of options over the same buffers; throws where one moves other bytes. */
function contendersOf(stride, count, direction) {
  const reach = (count - 1) * stride + BLOCK_BYTES;
  // No whole number of strides, so that elements stay streams of a known count.
  const type = layout(0, stream(count, stride, dense(BLOCK_BYTES)), { lowerBoundBytes: 0, extentBytes: reach });
  const [scattered, packed] = [lineAligned(reach), lineAligned(count * BLOCK_BYTES)];
  for (let i = 0; i < packed.length; i++) packed[i] = (i * 131 + (i >> 8)) & 255;
  for (let i = 0; i < count; i++) scattered.set(packed.subarray(i * BLOCK_BYTES, (i + 1) * BLOCK_BYTES), i * stride);
  const [source, target] = direction === "pack" ? [scattered, packed] : [packed, scattered];
  const want = target.slice();
  const move = direction === "pack" ? packMove(type) : unpackMove(type);
  return plansOfOptions(OPTIONS, {
    what: `${count} blocks at ${stride}, ${direction}`,
    move,
    count: 1,
    source,
    target,
    want,
  });
}

const rows = [];
const [, ...others] = Object.keys(OPTIONS);
const ratios = Object.fromEntries(others.map((who) => [who, []]));
for (const stride of STRIDES) {
  for (const count of COUNTS.filter((each) => each * stride <= MOST_ARRAY_BYTES)) {
    for (const direction of ["pack", "unpack"]) {
      const measured = measure(contendersOf(stride, count, direction), { rounds: Number(rounds) });
      const packedBytes = count * BLOCK_BYTES;
      const workload = `${count} blocks of ${BLOCK_BYTES} at ${stride}`;
      rows.push(...rowsOfCell({ workload, count: 1, packedBytes, direction }, measured));
      const ratio = (who) => measured.plain.medianNs / measured[who].medianNs;
      for (const who of others) ratios[who].push(ratio(who));
      const rate = (packedBytes / measured.plain.medianNs).toFixed(2).padStart(6);
      console.log(
        `stride ${String(stride).padStart(6)} x ${String(count).padStart(6)} ${direction.padEnd(6)} plain ${rate} GB/s, ${others.map((who) => `${who} ${ratio(who).toFixed(2)}`).join(", ")}`,
      );
    }
  }
}
console.log(JSON.stringify(Object.fromEntries(others.map((who) => [who, summarise(ratios[who])]))));
const { machine } = probeMachine();
writeResults(file, rows, { level: machine.level, processor: machine.processor });

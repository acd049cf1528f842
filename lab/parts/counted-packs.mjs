// Public calls to be counted, of eight pairs of views in turn: node counted-packs.mjs CALLS WORKLOAD DIRECTION. Ends
// with 1 where unpacking does not give back what was packed.
import { X64Backend } from "@stowage/backend-x64";
import { workloadOfSize } from "@stowage/bench";
import { Engine } from "@stowage/engine";
import { boundsOf } from "@stowage/ir";

const PAIRS = 8;
const [calls, name, direction] = process.argv.slice(2);
const { datatype, count } = workloadOfSize(name);
const { sizeBytes, extentBytes, trueLowerBoundBytes, trueExtentBytes } = boundsOf(datatype);
const engine = new Engine({ backends: [new X64Backend()] });
const committed = engine.commit(datatype);
const memories = Array.from({ length: PAIRS }, (_, i) =>
  new Uint8Array((count - 1) * extentBytes + trueLowerBoundBytes + trueExtentBytes).fill(i),
);
const streams = memories.map((_, i) => new Uint8Array(count * sizeBytes).fill(i));
const options = { count };
const move = {
  pack: (i) => committed.pack(memories[i % PAIRS], streams[i % PAIRS], options),
  unpack: (i) => committed.unpack(streams[i % PAIRS], memories[i % PAIRS], options),
}[direction];
for (let i = 0; i < Number(calls); i++) move(i);
if (memories.some((memory, i) => memory.some((byte) => byte !== i))) process.exitCode = 1;
engine[Symbol.dispose]();

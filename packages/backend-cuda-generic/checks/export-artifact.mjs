// Writes what a program without this package needs to run an artifact: node export-artifact.mjs FOLDER. See
// load-artifact.c.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { conditions, packMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, forEachRun, lower } from "@stowage/ir";
import { nearestPackedBytes, workload } from "@stowage/workloads";

const [folder = "artifact"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { datatype, count } = workload("indexed-random", { packedBytes: nearestPackedBytes("indexed-random", 2 ** 20) });
const layout = canonicalise(lower(datatype));
// Compiling needs no GPU: the simulated driver says that one could be there.
const backend = new CudaGenericBackend({ driver: openSimulatedCuda() });
const kinds = conditions({ sourceKind: "device", targetKind: "device", sourceAlignment: 16, targetAlignment: 16 });
const { payload } = backend.compile([packMove(layout)], kinds);
const { ptx, entry, parameterBytes, wordBytes, threads, unroll } = payload.standalone;
const [{ source, target }] = payload.moves;
const packedBytes = layout.sizeBytes * count;
const reachBytes = layout.trueLowerBoundBytes + layout.trueExtentBytes;
const image = Uint8Array.from({ length: reachBytes }, (_, i) => (i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7) & 255);
const expected = new Uint8Array(packedBytes);
let at = 0;
forEachRun(layout, { count, first: 0, length: packedBytes }, (offset, length) => {
  expected.set(image.subarray(offset, offset + length), at);
  at += length;
});
const write = (name, bytes) => writeFileSync(join(folder, name), bytes);
write("kernel.ptx", ptx);
write("lookaside.bin", payload.lookaside);
write("source-nodes.bin", source.nodes);
write("target-nodes.bin", target.nodes);
write("expected.bin", expected);
write(
  "launch.txt",
  `${entry}\n${parameterBytes} ${wordBytes} ${threads} ${unroll} ${reachBytes} ${packedBytes} ${source.startBytes}\n`,
);

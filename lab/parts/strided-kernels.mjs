// Kernels of cuda-strided with their shapes chosen by an experiment.
import { programFor, shapeOf, tileBytes, writeRecord } from "@stowage/backend-cuda-strided";
import { stridedBlock } from "@stowage/ir";

/** What a kernel is told of one cell: where its runs lie, and what is moved. */
export function transferOf(layout, scatteredAddress, packedAddress) {
  const { startBytes, counts, stridesBytes } = stridedBlock(layout);
  const dimensions = counts.slice(1).map((count, i) => ({ count, strideBytes: stridesBytes[i + 1] }));
  const geometry = { startBytes, rowBytes: counts[0], dimensions };
  return { geometry, scatteredAddress, packedAddress, first: 0, length: layout.sizeBytes };
}

export { programFor, shapeOf };

/** A launch of a kernel of `program` for one transfer. */
export function launchOf(kernel, { recordsOffset, recordBytes }, transfer, shape, threads, mostBlocks = Infinity) {
  const tiles = Math.ceil(transfer.length / tileBytes(shape, threads));
  const grid = { x: Math.min(tiles, mostBlocks) };
  const launch = kernel.launch(recordsOffset + recordBytes, { grid, block: { x: threads } });
  launch.parameters.setUint32(0, tiles, true);
  launch.parameters.setUint32(4, 1, true);
  writeRecord(launch.parameters, recordsOffset, transfer, shape, { firstTile: 0, shapeIndex: 0 });
  return launch;
}

// What cuda-strided is timed beside: kernels written by hand, the driver's pitched copies, and its own kernel for rows.
import { programFor, shapeOf, tileBytes, writeRecord } from "@stowage/backend-cuda-strided";
import { copy2D } from "@stowage/cuda-driver";
import { stridedBlock } from "@stowage/ir";
import { existsSync, readFileSync } from "node:fs";

/** Contenders that pack `scattered` into `packed`; `hand` is the file of the kernels by hand, where there is one. */
export function contendersOn(context, scattered, packed, hand) {
  const byHand = hand !== undefined && existsSync(hand) ? context.module(readFileSync(hand, "utf8")) : undefined;
  /** A kernel as one writes it for this block and pitch: one 4-byte word a thread, division by the row's words. */
  function handContender({ blockBytes, pitchBytes, layout }) {
    if (byHand === undefined) return [];
    const words = layout.sizeBytes / 4;
    const launch = byHand.kernel("pack_words").launch(40, { grid: { x: Math.ceil(words / 256) }, block: { x: 256 } });
    [packed.address, scattered.address, words, blockBytes / 4, pitchBytes / 4].forEach((value, i) =>
      launch.parameters.setBigUint64(i * 8, BigInt(value), true),
    );
    return [{ name: "cuda-by-hand", run: (queue) => launch.run(queue) }];
  }
  function pitchedCopy({ blockBytes, pitchBytes, layout }) {
    const target = { address: packed.address, host: false, pitchBytes: blockBytes };
    const source = { address: scattered.address, host: false, pitchBytes };
    const copy = copy2D(context, target, source, { widthBytes: blockBytes, rows: layout.sizeBytes / blockBytes });
    return { name: "cuMemcpy2DAsync", run: (queue) => copy.run(queue) };
  }

  /** The kernel by hand for a plain matrix. */
  function handTranspose({ square }) {
    if (byHand === undefined || square === undefined) return [];
    const { wordBytes, across, along } = square;
    const grid = { x: Math.ceil(along / 32), y: Math.ceil(across / 32) };
    const launch = byHand.kernel(`transpose_${wordBytes}`).launch(24, { grid, block: { x: 32, y: 8 } });
    launch.parameters.setBigUint64(0, BigInt(packed.address), true);
    launch.parameters.setBigUint64(8, BigInt(scattered.address), true);
    launch.parameters.setInt32(16, across, true);
    launch.parameters.setInt32(20, along, true);
    return [{ name: "cuda-by-hand", run: (queue) => launch.run(queue) }];
  }
  /** Our kernel for rows in packed order, which is what transposes got before shared memory. */
  function direct({ layout }, direction) {
    const geometry = geometryOf(layout);
    const transfer = {
      geometry,
      scatteredAddress: scattered.address,
      packedAddress: packed.address,
      first: 0,
      length: layout.sizeBytes,
    };
    const { along, ...rest } = shapeOf(transfer, direction, context.device);
    if (along === undefined) throw new Error("layout: expected one that goes through shared memory");
    const shape = {
      ...rest,
      vectorBytes: Math.max(4, rest.wordBytes),
      vectorsPerThread: rest.wordBytes < 4 || rest.streams ? 1 : 4,
    };
    const program = programFor([shape], 1);
    const tiles = Math.ceil(layout.sizeBytes / tileBytes(shape, 256));
    const launch = context
      .kernel(program.kernel)
      .launch(program.recordsOffset + program.recordBytes, { grid: { x: tiles }, block: { x: 256 } });
    launch.parameters.setUint32(0, tiles, true);
    launch.parameters.setUint32(4, 1, true);
    writeRecord(launch.parameters, program.recordsOffset, transfer, shape, { firstTile: 0, shapeIndex: 0 });
    return { name: "cuda-strided, direct", run: (queue) => launch.run(queue) };
  }
  function geometryOf(layout) {
    const { startBytes, counts, stridesBytes } = stridedBlock(layout);
    const dimensions = counts.slice(1).map((count, i) => ({ count, strideBytes: stridesBytes[i + 1] }));
    return { startBytes, rowBytes: counts[0], dimensions };
  }
  /** One 2D copy a column: all that the copy engines can do for a transpose. */
  function columnCopies({ layout }) {
    const { rowBytes, dimensions } = geometryOf(layout);
    const [across, along] = dimensions;
    const copies = Array.from({ length: along.count }, (_, i) =>
      copy2D(
        context,
        { address: packed.address + i * across.count * rowBytes, host: false, pitchBytes: rowBytes },
        { address: scattered.address + i * along.strideBytes, host: false, pitchBytes: across.strideBytes },
        { widthBytes: rowBytes, rows: across.count },
      ),
    );
    return { name: "cuMemcpy2DAsync a column", run: (queue) => copies.forEach((copy) => copy.run(queue)) };
  }
  return { handContender, pitchedCopy, handTranspose, direct, columnCopies };
}

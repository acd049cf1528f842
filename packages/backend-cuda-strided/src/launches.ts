import type { Context, Launch } from "@stowage/cuda-driver";
import { boxBytes, boxesIn } from "@stowage/ir";
import { programFor } from "./kernel/build.js";
import { recordBytesOf, tilesOf, writeRecord } from "./record.js";
import { isInParts, shapeName, shapeOf, type PackDirection, type Shape, type Transfer } from "./shape.js";
import { alongDimension, TRANSPOSE_THREADS } from "./transpose.js";

/** A transfer with its direction. */
export interface DirectedTransfer {
  readonly transfer: Transfer;
  readonly direction: PackDirection;
}

/** Threads of a block; large ones fill the few multiprocessors that a budget allows. */
const THREADS = 256;
const LARGE = 1024;
/** Of rows moved in parts: 128 rows a block. */
const PARTS_THREADS = 512;
/** Rows this short, streamed from memory, go 2 % faster in large blocks: neighbours stay together in time. */
const SHORT_ROW_BYTES = 64;
const MOST_BLOCKS = 2 ** 31 - 1;

/** The launches that move these transfers: one, unless there are more than a launch's parameters hold. */
export function launchesFor(
  context: Context,
  transfers: readonly DirectedTransfer[],
  smBudget: number | undefined,
  specialise: boolean,
): readonly Launch[] {
  // A few multiprocessors never outrun memory: they want loads in flight, whatever L2 holds.
  const device =
    smBudget === undefined ? context.device : { ...context.device, multiprocessors: smBudget, l2Bytes: Infinity };
  const shaped = transfers.flatMap(({ transfer, direction }) =>
    partsOf(transfer).map((part) => ({ transfer: part, shape: shapeOf(part, direction, device) })),
  );
  const threads = threadsFor(shaped, smBudget);
  const shapes = distinct(shaped.map(({ shape }) => shape));
  const program = programFor(shapes, shaped.length, specialise ? soleRecord(shaped) : undefined);
  const names = shapes.map(shapeName);
  const loaded = context.kernel(program.kernel);
  const launches: Launch[] = [];
  for (let start = 0; start < shaped.length; start += program.capacity) {
    const part = shaped.slice(start, start + program.capacity);
    const parametersBytes = program.recordsOffset + program.capacity * program.recordBytes;
    const launch = loaded.launch(parametersBytes, { grid: { x: 1 }, block: { x: threads } });
    let tiles = 0;
    part.forEach(({ transfer, shape }, i) => {
      const place = { firstTile: tiles, shapeIndex: names.indexOf(shapeName(shape)) };
      writeRecord(launch.parameters, program.recordsOffset + i * program.recordBytes, transfer, shape, place);
      tiles += tilesOf(transfer, shape, threads);
    });
    launch.parameters.setUint32(0, tiles, true);
    launch.parameters.setUint32(4, part.length, true);
    launch.reshape({ grid: { x: Math.min(tiles, smBudget ?? MOST_BLOCKS) }, block: { x: threads } });
    launches.push(launch);
  }
  return launches;
}

/** A range of a transpose as whole ones, so that all of it but its edges goes through shared memory. */
function partsOf(transfer: Transfer): readonly Transfer[] {
  const { box, packedAddress, first, length } = transfer;
  if (length === boxBytes(box) || !isTranspose(transfer)) return [transfer];
  const parts = Array.from(boxesIn(box, first, length), ({ box: whole, packedBytes }): Transfer => ({
    ...transfer,
    box: whole,
    packedAddress: packedAddress + packedBytes,
    first: 0,
    length: boxBytes(whole),
  }));
  return parts.some(isTranspose) ? parts : [transfer];
}

const isTranspose = ({ box }: Transfer): boolean => alongDimension(box, box.rowBytes) !== undefined;

function threadsFor(
  shaped: readonly { readonly transfer: Transfer; readonly shape: Shape }[],
  smBudget: number | undefined,
): number {
  if (shaped.some(({ shape }) => shape.along !== undefined)) return TRANSPOSE_THREADS;
  if (smBudget === undefined && shaped.every(({ shape, transfer }) => isInParts(shape, transfer.box)))
    return PARTS_THREADS;
  return smBudget !== undefined || shaped.every(isShortStream) ? LARGE : THREADS;
}

const isShortStream = ({ transfer, shape }: { readonly transfer: Transfer; readonly shape: Shape }): boolean =>
  shape.streams && shape.wordBytes > 4 && transfer.box.rowBytes <= SHORT_ROW_BYTES;

/** The record of a launch's one move; several have no box in common. */
function soleRecord(shaped: readonly { readonly transfer: Transfer; readonly shape: Shape }[]): DataView | undefined {
  const [sole, another] = shaped;
  if (sole === undefined || another !== undefined) return undefined;
  const record = new DataView(new ArrayBuffer(recordBytesOf(sole.shape)));
  writeRecord(record, 0, sole.transfer, sole.shape, { firstTile: 0, shapeIndex: 0 });
  return record;
}

/** Sorted, so that equal sets have equal kernels. */
function distinct(shapes: readonly Shape[]): Shape[] {
  const byName = new Map(shapes.map((shape) => [shapeName(shape), shape]));
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shape]) => shape);
}

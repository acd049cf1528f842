import type { Direction } from "@stowage/backend-api";
import type { Context, Launch } from "@stowage/cuda-driver";
import { boxBytes, boxesIn } from "@stowage/ir";
import type { LoadedProgram, Programs } from "./programs.js";
import { recordBytesOf, tilesOf, writeRecord } from "./record.js";
import { isInParts, shapeName, shapeOf, type Shape } from "./shape.js";
import type { Transfer } from "./transfer.js";
import { alongDimension, TRANSPOSE_THREADS } from "./transpose.js";

/** A transfer with its direction, and the move that it is of. */
export interface DirectedTransfer {
  readonly transfer: Transfer;
  readonly direction: Direction;
  readonly move: number;
}

/** A transfer in the shape that it moves in. */
interface Shaped extends DirectedTransfer {
  readonly shape: Shape;
}

/** Where a launch holds a transfer. */
export interface PlacedRecord extends DirectedTransfer {
  readonly launch: Launch;
  readonly offsetBytes: number;
}

export interface Launches {
  readonly launches: readonly Launch[];
  readonly records: readonly PlacedRecord[];
}

/** What a kernel settled for its plans. */
export interface LaunchOptions {
  readonly programs: Programs;
  readonly smBudget: number | undefined;
  readonly specialise: boolean;
}

/** Threads of a block; large ones fill the few multiprocessors that a budget allows. */
const THREADS = 256;
const LARGE = 1024;
/** Threads of a block that moves rows in parts: 128 rows. */
const PARTS_THREADS = 512;
/** Rows this short, streamed from memory, go 2 % faster in large blocks: neighbours stay together in time. */
const SHORT_ROW_BYTES = 64;
const MOST_BLOCKS = 2 ** 31 - 1;

/**
 * The launches that move these transfers, of which there are some: one, unless they are more than its parameters hold.
 */
export function launchesFor(
  context: Context,
  transfers: readonly DirectedTransfer[],
  { programs, smBudget, specialise }: LaunchOptions,
): Launches {
  // A few multiprocessors never outrun memory: they want loads in flight, whatever L2 holds.
  const device =
    smBudget === undefined ? context.device : { ...context.device, multiprocessors: smBudget, l2Bytes: Infinity };
  const shaped = transfers.flatMap((directed): Shaped[] =>
    partsOf(directed.transfer).map((transfer) => ({
      ...directed,
      transfer,
      shape: shapeOf(transfer, directed.direction, device),
    })),
  );
  const threads = threadsFor(shaped, smBudget);
  const [sole, another] = shaped;
  const loaded =
    specialise && sole !== undefined && another === undefined
      ? programs.specialised(context, sole.shape, recordOf(sole))
      : programs.of(context, distinct(shaped), shaped.length);
  const { capacity } = loaded.program;
  const launched = Array.from({ length: Math.ceil(shaped.length / capacity) }, (_, i) =>
    launchOf(loaded, shaped.slice(i * capacity, (i + 1) * capacity), threads, smBudget),
  );
  return { launches: launched.map(({ launch }) => launch), records: launched.flatMap(({ records }) => records) };
}

/** One launch of as many transfers as it holds. */
function launchOf(
  { program, kernel }: LoadedProgram,
  shaped: readonly Shaped[],
  threads: number,
  smBudget: number | undefined,
): { readonly launch: Launch; readonly records: readonly PlacedRecord[] } {
  const { recordsOffset, recordBytes, capacity, shapes } = program;
  const names = shapes.map(shapeName);
  const launch = kernel.launch(recordsOffset + capacity * recordBytes, { grid: { x: 1 }, block: { x: threads } });
  let tiles = 0;
  const records = shaped.map(({ shape, ...directed }, i): PlacedRecord => {
    const { transfer } = directed;
    const place = { firstTile: tiles, shapeIndex: names.indexOf(shapeName(shape)) };
    const offsetBytes = recordsOffset + i * recordBytes;
    writeRecord(launch.parameters, offsetBytes, transfer, shape, place);
    tiles += tilesOf(transfer, shape, threads);
    return { ...directed, launch, offsetBytes };
  });
  launch.parameters.setUint32(0, tiles, true);
  launch.parameters.setUint32(4, shaped.length, true);
  launch.reshape({ grid: { x: Math.min(tiles, smBudget ?? MOST_BLOCKS) }, block: { x: threads } });
  return { launch, records };
}

/** A range of a transpose as whole ones, so that all of it but its edges goes through shared memory. */
function partsOf(transfer: Transfer): readonly Transfer[] {
  const { box, packedAddress, first, length } = transfer;
  if (transfer.target !== undefined || length === boxBytes(box) || !isTranspose(transfer)) return [transfer];
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

function threadsFor(shaped: readonly Shaped[], smBudget: number | undefined): number {
  if (shaped.some(({ shape }) => shape.along !== undefined)) return TRANSPOSE_THREADS;
  if (smBudget === undefined && shaped.every(({ shape, transfer }) => isInParts(shape, transfer.box)))
    return PARTS_THREADS;
  return smBudget !== undefined || shaped.every(isShortStream) ? LARGE : THREADS;
}

const isShortStream = ({ transfer, shape }: Shaped): boolean =>
  shape.streams && shape.wordBytes > 4 && transfer.box.rowBytes <= SHORT_ROW_BYTES;

/** The record of a launch's one move. */
function recordOf({ transfer, shape }: Shaped): DataView {
  const record = new DataView(new ArrayBuffer(recordBytesOf(shape)));
  writeRecord(record, 0, transfer, shape, { firstTile: 0, shapeIndex: 0 });
  return record;
}

/** Sorted, so that equal sets have equal kernels. */
function distinct(shaped: readonly Shaped[]): Shape[] {
  const byName = new Map(shaped.map(({ shape }) => [shapeName(shape), shape]));
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shape]) => shape);
}

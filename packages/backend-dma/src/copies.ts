import { BindingError, directionOf, placeOf, type Binding, type Buffer, type Conditions, type Move } from "@stowage/backend-api";
import { copy2D, copy3D, copyBatch, copyBytes, type Context, type Copy } from "@stowage/cuda-driver";
import { canonicalise, type Layout } from "@stowage/ir";
import { boxesIn, boxOf, repeated } from "./geometry.js";
import { pairs } from "./pairs.js";
import { copiesOf, dimensionsPerCopy, piecesOf, type Piece } from "./pieces.js";

/** The copies that a bound move takes, ready to run, and whether some of them are one batch. */
export interface MoveCopies {
  readonly copies: readonly Copy[];
  readonly batched: boolean;
}

interface Side {
  readonly address: number;
  readonly host: boolean;
}

/** Runs of bytes: from this many on, one batch of the driver costs less than a call each. */
const FEWEST_OF_A_BATCH = 4;

export function copiesFor(context: Context, move: Move, i: number, binding: Binding, conditions: Conditions): MoveCopies {
  const { count, first, length } = binding;
  if (length === 0) return { copies: [], batched: false };
  const source = sideOf(move.source, "source", i, binding, conditions);
  const target = sideOf(move.target, "target", i, binding, conditions);
  const direction = directionOf(move);
  const layout = direction === "unpack" ? move.target : move.source;
  const box = direction === "copy" ? undefined : boxOf(layout);
  if (box === undefined) return runCopies(context, move, binding, source, target);
  const [scattered, packed] = direction === "unpack" ? [target, source] : [source, target];
  const maxPitchBytes = context.device.maxPitchBytes;
  const boxes = [...boxesIn(repeated(box, count, layout.extentBytes), first, length)];
  const pieces = boxes.flatMap((part) => [...piecesOf(part, maxPitchBytes)]);
  if (pieces.every(isRun)) {
    const list = pieces.map(({ startBytes, packedBytes, rowBytes }): Run => {
      const ends = [scattered.address + startBytes, packed.address + packedBytes] as const;
      return direction === "unpack" ? [ends[0], ends[1], rowBytes] : [ends[1], ends[0], rowBytes];
    });
    return sent(context, list);
  }
  const copies = pieces.map((piece) => pieceCopy(context, piece, scattered, packed, direction === "unpack"));
  return { copies, batched: false };
}

/** How many copies one element takes: a box by its pieces, anything else by its runs. */
export function copiesPerElement(move: Move, maxPitchBytes: number): number {
  const direction = directionOf(move);
  if (direction === "copy") return runsOf(move.source) + runsOf(move.target);
  const layout = direction === "unpack" ? move.target : move.source;
  const box = boxOf(layout);
  return box === undefined ? runsOf(layout) : copiesOf(box, maxPitchBytes);
}

const runsOf = (layout: Layout): number => canonicalise(layout).root.blockCount;

/** A line for a person: which calls one element takes. */
export function describeCopies(move: Move, maxPitchBytes: number): string {
  const direction = directionOf(move);
  const box = direction === "copy" ? undefined : boxOf(direction === "unpack" ? move.target : move.source);
  const copies = copiesPerElement(move, maxPitchBytes);
  if (box === undefined) return `${direction}: ${copies} runs, in batches`;
  const call = (["cuMemcpyAsync", "cuMemcpy2DAsync", "cuMemcpy3DAsync"] as const)[dimensionsPerCopy(box, maxPitchBytes)];
  return `${direction}: ${copies} of ${call}, rows of ${box.rowBytes} B`;
}

const isRun = ({ rows, planes }: Piece): boolean => rows === 1 && planes === 1;

type Run = readonly [target: number, source: number, bytes: number];

function runCopies(context: Context, move: Move, binding: Binding, source: Side, target: Side): MoveCopies {
  const list = Array.from(
    pairs(canonicalise(move.source), canonicalise(move.target), binding),
    ({ sourceBytes, targetBytes, lengthBytes }): Run => [
      target.address + targetBytes,
      source.address + sourceBytes,
      lengthBytes,
    ],
  );
  return sent(context, list);
}

function sent(context: Context, list: readonly Run[]): MoveCopies {
  if (list.length < FEWEST_OF_A_BATCH || !context.driver.copiesBatches) {
    return { copies: list.map(([to, from, bytes]) => copyBytes(context, to, from, bytes)), batched: false };
  }
  const column = (of: 0 | 1 | 2) => Float64Array.from(list, (run) => run[of]);
  return { copies: [copyBatch(context, column(0), column(1), column(2))], batched: true };
}

function pieceCopy(context: Context, piece: Piece, scattered: Side, packed: Side, unpacks: boolean): Copy {
  const { startBytes, packedBytes, rowBytes, rows, planes, pitchBytes, planeRows } = piece;
  const apart = { ...scattered, address: scattered.address + startBytes, pitchBytes, planeRows };
  const together = { ...packed, address: packed.address + packedBytes, pitchBytes: rowBytes, planeRows: rows };
  const [target, source] = unpacks ? [apart, together] : [together, apart];
  if (planes > 1) return copy3D(context, target, source, { widthBytes: rowBytes, rows, planes });
  if (rows > 1) return copy2D(context, target, source, { widthBytes: rowBytes, rows });
  return copyBytes(context, target.address, source.address, rowBytes);
}

function sideOf(layout: Layout, side: "source" | "target", i: number, binding: Binding, conditions: Conditions): Side {
  const place = placeOf(layout, binding[side], binding);
  if (place === undefined) {
    throw new BindingError(`${side} of move ${i}`, "memory of one region, as DMA copies need", "several regions");
  }
  const kind = side === "source" ? conditions.sourceKind : conditions.targetKind;
  return { address: requireAddress(place.buffer, side, i) + place.originBytes, host: kind === "pinned" };
}

function requireAddress({ address, kind }: Buffer, side: string, i: number): number {
  if (address !== undefined) return address;
  throw new BindingError(`${side} of move ${i}`, "memory with an address that the device reaches", `${kind} memory without one`);
}

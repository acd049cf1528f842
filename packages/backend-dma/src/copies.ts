import {
  countInMemory,
  describeTables,
  directionOf,
  elementPlaces,
  withinRegions,
  type Binding,
  type Conditions,
  type Move,
} from "@stowage/backend-api";
import { copy2D, copy3D, copyBatch, copyBytes, type Context, type Copy } from "@stowage/cuda-driver";
import { boxesIn, boxOf, canonicalise, repeatedBox, type Layout } from "@stowage/ir";
import { originAddress } from "@stowage/cuda-plans";
import { pairs } from "./pairs.js";
import { copiesOf, dimensionsPerCopy, piecesOf, type Piece } from "./pieces.js";
import { sideOf, type Side } from "./side.js";

/** The copies that a bound move takes, ready to run, and whether some of them are one batch. */
export interface MoveCopies {
  readonly copies: readonly Copy[];
  readonly batched: boolean;
}

/** Runs of bytes: from this many on, one batch of the driver costs less than a call each. */
const FEWEST_OF_A_BATCH = 4;

export function copiesFor(
  context: Context,
  move: Move,
  i: number,
  binding: Binding,
  conditions: Conditions,
): MoveCopies {
  const { count, first, length } = binding;
  if (length === 0) return { copies: [], batched: false };
  if (move.tables !== undefined) return sent(context, placedRuns(move, i, binding));
  const source = sideOf(move.source, "source", i, binding, conditions);
  const target = sideOf(move.target, "target", i, binding, conditions);
  const direction = directionOf(move);
  const layout = direction === "unpack" ? move.target : move.source;
  const box = direction === "copy" ? undefined : boxOf(layout);
  if (box === undefined) return runCopies(context, move, binding, source, target);
  const [scattered, packed] = direction === "unpack" ? [target, source] : [source, target];
  const maxPitchBytes = context.device.maxPitchBytes;
  const boxes = [...boxesIn(repeatedBox(box, count, layout.extentBytes), first, length)];
  const placed = boxes.flatMap((part) => [...withinRegions(scattered.at, part)]);
  const pieces = placed.flatMap((part) =>
    Array.from(piecesOf(part, maxPitchBytes), (piece) => endsOf(piece, part.originAddress, packed)),
  );
  if (pieces.every(({ piece }) => isRun(piece))) {
    const list = pieces.map(({ piece: { rowBytes }, apart, together }): Run =>
      direction === "unpack" ? [apart, together, rowBytes] : [together, apart, rowBytes],
    );
    return sent(context, list);
  }
  const hosts = { apart: scattered.host, together: packed.host };
  const copies = pieces.map((ends) => pieceCopy(context, ends, hosts, direction === "unpack"));
  return { copies, batched: false };
}

/** A piece with the addresses where it starts on the scattered side and on the packed one. */
interface Ends {
  readonly piece: Piece;
  readonly apart: number;
  readonly together: number;
}

const endsOf = (piece: Piece, originAddress: number, packed: Side): Ends => ({
  piece,
  apart: originAddress + piece.startBytes,
  together: packed.at(piece.packedBytes).address,
});

/** How many copies one element takes: a box by its pieces, anything else by its runs. */
export function copiesPerElement(move: Move, maxPitchBytes: number): number {
  const direction = directionOf(move);
  if (direction === "copy") return runsOf(move.source) + runsOf(move.target);
  const layout = direction === "unpack" ? move.target : move.source;
  const box = boxOf(layout);
  return box === undefined ? runsOf(layout) : copiesOf(box, maxPitchBytes);
}

const runsOf = (layout: Layout): number => canonicalise(layout).root.blockCount;

/** Copies of one element that tables place: its runs, by the side that has more. */
export const placedRunsOf = ({ source, target }: Move): number => Math.max(runsOf(source), runsOf(target));

/** A line for a person: which calls one element takes. */
export function describeCopies(move: Move, maxPitchBytes: number): string {
  const tables = describeTables(move.tables);
  if (tables !== undefined) return `${placedRunsOf(move)} runs an element, in batches; ${tables}`;
  const direction = directionOf(move);
  const box = direction === "copy" ? undefined : boxOf(direction === "unpack" ? move.target : move.source);
  const copies = copiesPerElement(move, maxPitchBytes);
  if (box === undefined) return `${direction}: ${copies} runs, in batches`;
  const call = (["cuMemcpyAsync", "cuMemcpy2DAsync", "cuMemcpy3DAsync"] as const)[
    dimensionsPerCopy(box, maxPitchBytes)
  ];
  return `${direction}: ${copies} of ${call}, rows of ${box.rowBytes} B`;
}

const isRun = ({ rows, planes }: Piece): boolean => rows === 1 && planes === 1;

type Run = readonly [target: number, source: number, bytes: number];

function runCopies(context: Context, move: Move, binding: Binding, source: Side, target: Side): MoveCopies {
  const list: Run[] = [];
  for (const { sourceBytes, targetBytes, lengthBytes } of pairs(
    canonicalise(move.source),
    canonicalise(move.target),
    binding,
  )) {
    let done = 0;
    while (done < lengthBytes) {
      const [from, to] = [source.at(sourceBytes + done), target.at(targetBytes + done)];
      const bytes = Math.min(lengthBytes - done, from.leftBytes, to.leftBytes);
      list.push([to.address, from.address, bytes]);
      done += bytes;
    }
  }
  return sent(context, list);
}

/** The runs of each element that tables place. */
function placedRuns(move: Move, i: number, binding: Binding): readonly Run[] {
  const { first, length } = binding;
  const { firstElement, elements, ...places } = elementPlaces(i, move, binding);
  const { sizeBytes } = move.source;
  const [source, target] = [canonicalise(move.source), canonicalise(move.target)];
  const [from, to] = [originAddress(binding.source), originAddress(binding.target)];
  const list: Run[] = [];
  const most = binding.tables?.count === undefined ? elements : countInMemory(binding.tables.count) - firstElement;
  for (let k = 0; k < Math.min(elements, most); k++) {
    const [read, written] = [places.source?.[k], places.target?.[k]];
    if (Number.isNaN(read) || Number.isNaN(written)) continue;
    const element = firstElement + k;
    const begin = Math.max(first - element * sizeBytes, 0);
    const range = { count: 1, first: begin, length: Math.min(first + length - element * sizeBytes, sizeBytes) - begin };
    const fromElement = from + (read ?? element * source.extentBytes);
    const toElement = to + (written ?? element * target.extentBytes);
    for (const { sourceBytes, targetBytes, lengthBytes } of pairs(source, target, range))
      list.push([toElement + targetBytes, fromElement + sourceBytes, lengthBytes]);
  }
  return list;
}

function sent(context: Context, list: readonly Run[]): MoveCopies {
  if (list.length < FEWEST_OF_A_BATCH || !context.copiesBatches) {
    return { copies: list.map(([to, from, bytes]) => copyBytes(context, to, from, bytes)), batched: false };
  }
  const column = (of: 0 | 1 | 2) => Float64Array.from(list, (run) => run[of]);
  return { copies: [copyBatch(context, column(0), column(1), column(2))], batched: true };
}

function pieceCopy(
  context: Context,
  { piece, apart, together }: Ends,
  hosts: { readonly apart: boolean; readonly together: boolean },
  unpacks: boolean,
): Copy {
  const { rowBytes, rows, planes, pitchBytes, planeRows } = piece;
  const strided = { address: apart, host: hosts.apart, pitchBytes, planeRows };
  const dense = { address: together, host: hosts.together, pitchBytes: rowBytes, planeRows: rows };
  const [target, source] = unpacks ? [strided, dense] : [dense, strided];
  if (planes > 1) return copy3D(context, target, source, { widthBytes: rowBytes, rows, planes });
  if (rows > 1) return copy2D(context, target, source, { widthBytes: rowBytes, rows });
  return copyBytes(context, target.address, source.address, rowBytes);
}

import { isReducing, isTabled, type Conditions, type Move } from "@stowage/backend-api";
import { threadsFor, USUAL_UNROLL } from "./bind/shape.js";
import { encodeLayout, needsWideTables } from "./encode/encode-layout.js";
import { Lookaside } from "./encode/lookaside.js";
import { KIND, NODE, NODE_BYTES } from "./encode/node-record.js";
import { HEADER, HEADER_BYTES, TRANSFER, TRANSFER_BYTES, PARAMETER_CLASSES } from "./kernel/plan-block.js";
import { variantName, type Variant, type WordBytes } from "./kernel/variant.js";
import type { Tuning } from "./options.js";
import { partsOf } from "./parts.js";
import type { EncodedMove, Payload } from "./payload.js";
import type { RenderedKernels } from "./rendered.js";

/** Serialises all layouts of the moves, into one lookaside buffer. */
export function compileMoves(
  moves: readonly Move[],
  conditions: Conditions,
  tuning: Tuning,
  rendered: RenderedKernels,
): Payload {
  const lookaside = new Lookaside();
  const wide = moves.some(({ source, target }) => needsWideTables(source) || needsWideTables(target));
  const options = { wide, coarse: tuning.coarseSearch };
  const sides = ({ source, target }: Move) => ({
    source: encodeLayout(source, lookaside, options),
    target: encodeLayout(target, lookaside, options),
  });
  const encoded = moves.map((move) => ({
    ...sides(move),
    parts: partsOf(move, tuning.partBytes).map((part) => ({
      packedBytes: part.packedBytes,
      sizeBytes: part.source.sizeBytes,
      ...sides(part),
    })),
  }));
  const tableBits = wide ? 64 : 32;
  return {
    tableBits,
    lookaside: lookaside.bytes(),
    moves: encoded,
    // Programs without this package move bytes, an extent apart.
    standalone: moves.some((move) => isReducing(move) || isTabled(move))
      ? null
      : standalone(encoded, conditions, tableBits, tuning, rendered),
  };
}

/** What a program without this package needs to launch the moves: it fills in addresses, ranges and tiles. */
function standalone(
  moves: readonly EncodedMove[],
  conditions: Conditions,
  tableBits: 32 | 64,
  tuning: Tuning,
  rendered: RenderedKernels,
) {
  const planBytes = HEADER_BYTES + moves.length * TRANSFER_BYTES + nodeBytesOf(moves);
  const fitting = PARAMETER_CLASSES.find((bytes) => bytes >= planBytes);
  const width = moves.reduce((least, move) => Math.min(least, widthOf(move)), alignmentOf(conditions)) as WordBytes;
  const unroll = tuning.unroll === "fitting" ? USUAL_UNROLL : tuning.unroll;
  const threads = threadsFor(moves.length, tuning.threads);
  const variant: Variant = {
    positionBits: 64,
    tableBits,
    modes: [width],
    branching: moves.some(({ source, target }) => source.branching || target.branching),
    searched: moves.some(({ source, target }) => source.searched || target.searched),
    denseSide: denseSideOf(moves),
    alone: moves.length === 1,
    regions: false,
    space: fitting === undefined ? "memory" : "parameters",
    planBytes: fitting ?? 0,
    unroll,
    maxThreads: threads,
    hints: { bypassL1: tuning.hints.bypassL1, storeOperator: "wb" },
  };
  // Rendered when it is first read: most artifacts are loaded by this package, and never stored.
  return {
    entry: variantName(variant),
    get ptx() {
      return rendered.of(variant).ptx;
    },
    get parameterBytes() {
      return rendered.of(variant).parameterBytes;
    },
    planSpace: variant.space,
    wordBytes: width,
    threads,
    unroll,
    grid: "x = sum over moves of max(1, ceil(words / (threads * unroll)))",
    layout: RECORDS,
  };
}

/** The side whose walk may be left out. */
function denseSideOf(moves: readonly EncodedMove[]): Variant["denseSide"] {
  if (moves.every(({ target }) => target.dense)) return "target";
  return moves.every(({ source }) => source.dense) ? "source" : "none";
}

/** Offsets of all fields that a loader writes, as data. */
const RECORDS = Object.freeze({
  header: { ...HEADER, sizeBytes: HEADER_BYTES },
  transfer: { ...TRANSFER, sizeBytes: TRANSFER_BYTES },
  node: { ...NODE, sizeBytes: NODE_BYTES },
  kind: { ...KIND },
});

export const nodeBytesOf = (moves: readonly EncodedMove[]): number =>
  moves.reduce((sum, { source, target }) => sum + source.nodes.byteLength + target.nodes.byteLength, 0);

const widthOf = ({ source, target }: EncodedMove): number =>
  Math.min(source.repeatGranularity, target.repeatGranularity);

const alignmentOf = ({ sourceAlignment, targetAlignment }: Conditions): number =>
  Math.min(sourceAlignment, targetAlignment, 16);

import { buildKernel, type Builder, type Kernel, type Value } from "@stowage/ptx";
import { FIELD, FIRST_OF_BOX } from "../record-fields.js";
import { recordBytesOf } from "../record.js";
import { shapeName, type Shape } from "../shape.js";
import { tileEdge, tilePitchBytes, TRANSPOSE_THREADS } from "../transpose.js";
import { moveTile } from "./tile.js";
import { transposeTile } from "./transpose-tile.js";

/** What a launch may pass by value: 4 KiB on every architecture. CUDA C++ programming guide, kernel parameters. */
const PARAMETER_BYTES = 4096;
const COUNTS_BYTES = 8;

/** A PTX kernel that moves strided blocks of these shapes, and how the parameters of its launch hold the moves. */
export interface StridedProgram {
  /** The kernel. */
  readonly kernel: Kernel;
  /** The shapes that it has instructions for; a record names one by its index. */
  readonly shapes: readonly Shape[];
  /** The bytes of a move's record in the parameters. */
  readonly recordBytes: number;
  /** How many moves one launch holds. */
  readonly capacity: number;
  /** Bytes from the start of the parameters to the records, behind the numbers of tiles and of moves. */
  readonly recordsOffset: number;
}

/**
 * Makes the kernel for moves of some shapes, with room for `moves` of them where the 4 KiB of parameters have it.
 * `constants` is the record of one move: what depends on its box becomes constants of the kernel, while addresses and
 * the range stay parameters.
 */
export function programFor(shapes: readonly Shape[], moves: number, constants?: DataView): StridedProgram {
  const bytes = Math.max(...shapes.map(recordBytesOf));
  const sharedBytes = Math.max(...shapes.map(sharedBytesOf));
  const capacity = Math.min(roundUpToPower(moves), Math.floor((PARAMETER_BYTES - COUNTS_BYTES) / bytes));
  const kernel = buildKernel(
    `stowage_${shapes.map(shapeName).join("__")}`,
    {
      parameters: { tiles: "u32", moves: "u32", records: { bytes: bytes * capacity, align: 8 } },
      maxThreads: sharedBytes > 0 ? TRANSPOSE_THREADS : 1024,
      sharedBytes,
    },
    (builder, { tiles, moves: held }) => buildBody(builder, shapes, { tiles, held, bytes, capacity, constants }),
  );
  return { kernel, shapes, recordBytes: bytes, capacity, recordsOffset: COUNTS_BYTES };
}

const sharedBytesOf = ({ along, wordBytes }: Shape): number =>
  along === undefined ? 0 : tileEdge(wordBytes) * tilePitchBytes(wordBytes);

interface Held {
  readonly tiles: Value;
  readonly held: Value;
  readonly bytes: number;
  readonly capacity: number;
  readonly constants: DataView | undefined;
}

/** Blocks stride over the tiles of all moves, so that any grid will do: a budget of multiprocessors is a small grid. */
function buildBody(
  builder: Builder,
  shapes: readonly Shape[],
  { tiles, held, bytes, capacity, constants }: Held,
): void {
  const tile = builder.variable("u32", builder.special("ctaid.x"));
  const step = builder.special("nctaid.x");
  builder.while(
    () => tile.lt(tiles),
    () => {
      const index = capacity === 1 ? undefined : findMove(builder, tile, held, bytes);
      const read = (field: number, bits: 32 | 64, half = 0): Value => {
        if (constants !== undefined && field >= FIRST_OF_BOX) return constantOf(builder, constants, field, bits);
        const at = { bits, offsetBytes: field * 8 + half, ...(index === undefined ? {} : { index }) };
        return builder.loadParameter("records", at)[0] as Value;
      };
      const own = index === undefined ? tile : tile.sub(read(FIELD.firstTile, 32));
      dispatch(builder, shapes, 0, shapes.length === 1 ? undefined : read(FIELD.firstTile, 32, 4), (shape) =>
        (shape.along === undefined ? moveTile : transposeTile)(builder, shape, read, own),
      );
      tile.set(tile.add(step));
    },
  );
}

function constantOf(builder: Builder, record: DataView, field: number, bits: 32 | 64): Value {
  if (bits === 32) return builder.constant("u32", record.getUint32(field * 8, true));
  return builder.constant("u64", record.getBigUint64(field * 8, true));
}

/**
 * The offset of the record of the last move whose first tile is not past this one: a binary search, the same for all
 * threads.
 */
function findMove(builder: Builder, tile: Value, moves: Value, bytes: number): Value {
  const low = builder.variable("u32", 0);
  const high = builder.variable("u32", moves);
  builder.while(
    () => high.sub(low).gt(1),
    () => {
      const middle = low.add(high).shr(1);
      const index = middle.mul(bytes);
      const [first] = builder.loadParameter("records", { bits: 32, offsetBytes: FIELD.firstTile * 8, index });
      const isPast = (first as Value).gt(tile);
      low.set(isPast.select(low, middle));
      high.set(isPast.select(middle, high));
    },
  );
  return low.mul(bytes);
}

/** One branch a shape; all threads of a block take the same. */
function dispatch(
  builder: Builder,
  shapes: readonly Shape[],
  i: number,
  which: Value | undefined,
  move: (shape: Shape) => void,
): void {
  const shape = shapes[i];
  if (shape === undefined) return;
  if (which === undefined || i === shapes.length - 1) return move(shape);
  builder.if(
    which.eq(i),
    () => move(shape),
    () => dispatch(builder, shapes, i + 1, which, move),
  );
}

/** Few sizes of parameter lists, so that few kernels are rendered. */
function roundUpToPower(moves: number): number {
  return moves <= 1 ? 1 : 2 ** Math.ceil(Math.log2(moves));
}

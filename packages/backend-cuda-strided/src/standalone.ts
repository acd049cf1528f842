import { directionOf, scatteredLayout, type Conditions, type Data, type Move } from "@stowage/backend-api";
import { print } from "@stowage/ptx";
import { commonAlignment, repeatedBox, type Box } from "@stowage/ir";
import { programFor, type StridedProgram } from "./kernel/build.js";
import { FIELD } from "./record-fields.js";
import { tileBytes, writeRecord } from "./record.js";
import { WIDEST_WORD_BYTES, type Shape } from "./shape.js";

const THREADS = 256;
/** Every GPU since 2018 runs text for sm_75. */
const OLDEST_ARCHITECTURE = 75;

/**
 * One move for whoever loads artifacts without this package: a kernel that is right wherever the declared alignments
 * hold, for any range of whole words and any count, and its parameters, in which five words are still to be filled in.
 */
export interface Standalone {
  readonly startBytes: number;
  readonly shape: Shape;
  readonly program: StridedProgram;
  readonly parameters: Uint8Array;
}

/** Undefined where nothing moves. */
export function standaloneOf(move: Move, box: Box, conditions: Conditions): Standalone | undefined {
  const whole = counted(box, conditions.count, scatteredLayout(move).extentBytes);
  const { startBytes, rowBytes, dimensions } = whole;
  if (rowBytes === 0) return undefined;
  const strides = dimensions.map(({ strideBytes }) => strideBytes);
  const wordBytes = commonAlignment(
    [rowBytes, ...strides, startBytes, conditions.sourceAlignment, conditions.targetAlignment],
    WIDEST_WORD_BYTES,
  );
  const shape: Shape = {
    direction: directionOf(move),
    wordBytes,
    vectorBytes: wordBytes,
    dimensions: dimensions.length,
    unitRows: dimensions.length > 0 && rowBytes === wordBytes,
    wide: true,
    vectorsPerThread: 1,
    streams: false,
  };
  const program = programFor([shape], 1);
  const parameters = new Uint8Array(program.recordsOffset + program.recordBytes);
  const view = new DataView(parameters.buffer);
  view.setUint32(MOVES_OFFSET, 1, true);
  const nowhere = { box: { ...whole, startBytes: 0 }, scatteredAddress: 0, packedAddress: 0, first: 0, length: 0 };
  writeRecord(view, program.recordsOffset, nowhere, shape, { firstTile: 0, shapeIndex: 0 });
  return { startBytes, shape, program, parameters };
}

const MOVES_OFFSET = 4;

/** No record holds the outermost count: where it is not known, two elements, unmerged, stand for any number. */
const counted = (box: Box, count: number | "any", strideBytes: number): Box =>
  count === "any"
    ? { ...box, dimensions: [...box.dimensions, { count: 2, strideBytes }] }
    : repeatedBox(box, count, strideBytes);

/**
 * As an artifact holds it. Offsets are of little-endian numbers of the parameters: 32 bits of tiles, 64 of the others.
 */
export function standaloneData({ startBytes, shape, program, parameters }: Standalone): Data {
  const at = (field: number): number => program.recordsOffset + field * 8;
  return {
    entry: program.kernel.name,
    ptx: print(program.kernel, { arch: OLDEST_ARCHITECTURE }),
    parameters,
    offsets: {
      tiles: 0,
      packedAddress: at(FIELD.packed),
      scatteredAddress: at(FIELD.scattered),
      firstWord: at(FIELD.firstWord),
      words: at(FIELD.words),
    },
    packedAddress: "of the range's first byte",
    scatteredAddress: `of the datatype's address 0, and ${startBytes} bytes`,
    wordBytes: shape.wordBytes,
    threads: THREADS,
    tileBytes: tileBytes(shape, THREADS),
    grid: "tiles = ceil(words * wordBytes / tileBytes) blocks, or fewer",
  };
}

import type { Box } from "@stowage/ir";
import { narrowMagicOf, shortMagicOf } from "@stowage/ptx";
import {
  dimensionField,
  FIELD,
  recordBytes,
  repeatField,
  TRANSPOSE_FIELD,
  transposeRecordBytes,
} from "./record-fields.js";
import type { Shape } from "./shape.js";
import type { Transfer } from "./transfer.js";
import { tilesOfTranspose, transposeOf, type Transpose } from "./transpose.js";

type Put = (field: number, value: number | bigint) => void;

export const recordBytesOf = ({ along, dimensions, target }: Shape): number =>
  along === undefined
    ? recordBytes(dimensions) + (target === undefined ? 0 : recordBytes(target.dimensions))
    : transposeRecordBytes(dimensions);

/**
 * Writes a move's record at byte `offsetBytes` of the view. `firstTile` is the number of the move's first tile in the
 * launch, `shapeIndex` the index of its shape in the program's.
 */
export function writeRecord(
  view: DataView,
  offsetBytes: number,
  transfer: Transfer,
  shape: Shape,
  place: { readonly firstTile: number; readonly shapeIndex: number },
): void {
  const { box, scatteredAddress, packedAddress, first, length, target } = transfer;
  const { wordBytes, along } = shape;
  const put: Put = (field, value) =>
    view.setBigUint64(offsetBytes + field * 8, BigInt.asUintN(64, BigInt(value)), true);
  put(FIELD.packed, target === undefined ? packedAddress + first : target.address + target.box.startBytes);
  put(FIELD.scattered, scatteredAddress + box.startBytes);
  put(FIELD.firstWord, first / wordBytes);
  put(FIELD.words, length / wordBytes);
  view.setUint32(offsetBytes + FIELD.firstTile * 8, place.firstTile, true);
  view.setUint32(offsetBytes + FIELD.firstTile * 8 + 4, place.shapeIndex, true);
  if (along !== undefined) return putTranspose(transposeOf(transfer, wordBytes), wordBytes, put);
  putRows(box, shape, put);
  if (target === undefined) return;
  const behind = recordBytes(shape.dimensions) / 8;
  put(behind + FIELD.firstWord, target.first / wordBytes);
  putRows(target.box, shape, (field, value) => put(behind + field, value));
}

function putRows(box: Box, { wordBytes, wide }: Shape, put: Put): void {
  const putDivision = (field: number, divisor: number): void => {
    const { multiplier, shift } = wide ? shortMagicOf(divisor) : narrowMagicOf(divisor);
    put(field, multiplier);
    put(field + 1, shift);
  };
  put(FIELD.rowWords, box.rowBytes / wordBytes);
  putDivision(FIELD.rowMultiplier, box.rowBytes / wordBytes);
  for (const [i, { count, strideBytes }] of box.dimensions.entries()) {
    put(dimensionField(i, "stride"), strideBytes);
    if (i === box.dimensions.length - 1) break;
    put(dimensionField(i, "count"), count);
    putDivision(dimensionField(i, "multiplier"), count);
  }
}

function putTranspose(transpose: Transpose, wordBytes: number, put: Put): void {
  const { across, along, repeats } = transpose;
  const { acrossTiles, alongTiles } = tilesOfTranspose(transpose, wordBytes);
  const putDivisor = (field: number, divisor: number): void => {
    const { multiplier, shift } = narrowMagicOf(divisor);
    [divisor, multiplier, shift].forEach((value, i) => put(field + i, value));
  };
  put(TRANSPOSE_FIELD.acrossCount, across.count);
  put(TRANSPOSE_FIELD.acrossStride, across.strideBytes);
  put(TRANSPOSE_FIELD.alongCount, along.count);
  put(TRANSPOSE_FIELD.alongStride, along.strideBytes);
  put(TRANSPOSE_FIELD.alongPacked, along.packedWords);
  putDivisor(TRANSPOSE_FIELD.acrossTiles, acrossTiles);
  putDivisor(TRANSPOSE_FIELD.alongTiles, alongTiles);
  for (const [i, { count, strideBytes, packedWords }] of repeats.entries()) {
    put(repeatField(i, "stride"), strideBytes);
    put(repeatField(i, "packed"), packedWords);
    putDivisor(repeatField(i, "count"), count);
  }
}

/** Tiles that a move takes: of a transpose squares, else runs of the packed stream. */
export function tilesOf(transfer: Transfer, shape: Shape, threads: number): number {
  const { along, wordBytes } = shape;
  if (along !== undefined) return tilesOfTranspose(transposeOf(transfer, wordBytes), wordBytes).tiles;
  return Math.ceil(transfer.length / tileBytes(shape, threads));
}

/** The bytes of the packed stream that one tile of `threads` threads moves, where rows are walked in packed order. */
export const tileBytes = (shape: Shape, threads: number): number =>
  threads * shape.vectorsPerThread * shape.vectorBytes;

import { columnsOfBlock, OUT_OF_CACHE_BLOCK_BYTES, savesMoves } from "../../../loops/facts/columns.js";
import type { Ways } from "../../../targets/geometry.js";
import { byReach, inBlocks, nested, without, type Dimension } from "../../dimensions.js";
import type { NestRule } from "../../nest-rule.js";
import type { Pair, TransposedPair } from "../../pair.js";

const ONE: Dimension = { count: 1, sourceBytes: 0, targetBytes: 0 };

/**
 * Two dimensions in which the sides are contiguous, one each: tiles through registers, all rows of a few lines of
 * columns. 12 transposes take 1.75 over unpack(pack()) at 1 MiB and 5.9 over a double loop in C on a Zen 4
 * (results/epyc/relayout.json).
 */
export const transposedDimensions: NestRule = {
  name: "transposed dimensions",
  plan({ tuning }, { dimensions, lengthBytes, nonTemporal }) {
    const rows = dimensions.find(({ targetBytes }) => targetBytes === lengthBytes);
    const columns = dimensions.find(({ sourceBytes }) => sourceBytes === lengthBytes);
    if (rows === undefined) return "no dimension in which the target is contiguous";
    if (!savesMoves(lengthBytes, rows.count, columns?.count ?? 1))
      return "too few rows or columns for vectors to save moves";
    return nested(
      byReach(without(dimensions, rows, columns)),
      transposed(tuning.target.geometry.l1d, rows, columns ?? ONE, lengthBytes, nonTemporal),
    );
  },
};

/** All rows of a few lines of columns, no more than L1d holds until the next bytes of each line are moved. */
function transposed(l1d: Ways, rows: Dimension, columns: Dimension, elementBytes: number, nonTemporal: boolean): Pair {
  const most = nonTemporal
    ? OUT_OF_CACHE_BLOCK_BYTES / elementBytes
    : columnsOfBlock(l1d, elementBytes, columns.targetBytes);
  return inBlocks(columns, most, (columnCount): TransposedPair => ({
    kind: "transposed",
    elementBytes,
    rows: rows.count,
    rowStrideBytes: rows.sourceBytes,
    columns: columnCount,
    columnStrideBytes: columns.targetBytes,
  }));
}

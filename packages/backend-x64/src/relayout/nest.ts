import { LINE_BYTES } from "../loops/cache.js";
import { columnsOfBlock, OUT_OF_CACHE_BLOCK_BYTES } from "../loops/rules/transposes/column-blocks.js";
import { savesMoves } from "../loops/rules/transposes/tiles.js";
import { loop, membersOf, run, type Loop, type Pair, type TransposedPair } from "./pair.js";

/** One dimension of a nest: its children and their strides. */
type Dimension = Pick<Loop, "count" | "sourceBytes" | "targetBytes">;

/** Lines in a block of runs, on each side: both sides stay in L1d. */
const BLOCK_LINES = 8;

/**
 * The same bytes in the order that suits memory. No two bytes of a target are the same one, so loops may change
 * places: runs grow by what is contiguous on both sides, dimensions merge, and where the two sides are contiguous
 * in different dimensions these two are transposed in blocks.
 */
export function ordered(pair: Pair, nonTemporal = false): Pair {
  switch (pair.kind) {
    case "run":
    case "overlaps":
    case "transposed":
      return pair;
    case "walk":
      return { ...pair, child: ordered(pair.child, nonTemporal) };
    case "members":
      return {
        ...pair,
        members: pair.members.map((member) => ({ ...member, pair: ordered(member.pair, nonTemporal) })),
      };
    case "loop":
      return orderedNest(pair, nonTemporal);
  }
}

function orderedNest(pair: Loop, nonTemporal: boolean): Pair {
  const dimensions: Dimension[] = [];
  let leaf: Pair = pair;
  for (; leaf.kind === "loop"; leaf = leaf.child) dimensions.push(leaf);
  if (leaf.kind !== "run") return nested(merged(dimensions), ordered(leaf, nonTemporal));
  return orderedRuns(dimensions, leaf.lengthBytes, nonTemporal);
}

/** Loops around a leaf, the first one outermost. */
const nested = (dimensions: readonly Dimension[], leaf: Pair): Pair =>
  dimensions.reduceRight(
    (child, { count, sourceBytes, targetBytes }) => loop(count, sourceBytes, targetBytes, child),
    leaf,
  );

/** Dimensions of which one continues the other on both sides are one. */
function merged(dimensions: readonly Dimension[]): readonly Dimension[] {
  for (const outer of dimensions) {
    const inner = dimensions.find(
      (each) =>
        each !== outer &&
        outer.sourceBytes === each.count * each.sourceBytes &&
        outer.targetBytes === each.count * each.targetBytes,
    );
    if (inner === undefined) continue;
    const one = { ...inner, count: outer.count * inner.count };
    return merged(dimensions.filter((each) => each !== outer).map((each) => (each === inner ? one : each)));
  }
  return dimensions;
}

function orderedRuns(dimensions: readonly Dimension[], lengthBytes: number, nonTemporal: boolean): Pair {
  const grown = dimensions.find(
    ({ sourceBytes, targetBytes }) => sourceBytes === lengthBytes && targetBytes === lengthBytes,
  );
  if (grown !== undefined) return orderedRuns(without(dimensions, grown), lengthBytes * grown.count, nonTemporal);
  const fewer = merged(dimensions);
  if (fewer.length < dimensions.length) return orderedRuns(fewer, lengthBytes, nonTemporal);
  const [rows, columns] = [
    dimensions.find(({ targetBytes }) => targetBytes === lengthBytes),
    dimensions.find(({ sourceBytes }) => sourceBytes === lengthBytes),
  ];
  if (rows !== undefined && savesMoves(lengthBytes, rows.count, columns?.count ?? 1)) {
    return nested(byReach(without(dimensions, rows, columns)), transposed(rows, columns, lengthBytes, nonTemporal));
  }
  return nestedRuns(dimensions, lengthBytes);
}

const without = (dimensions: readonly Dimension[], ...gone: readonly (Dimension | undefined)[]): readonly Dimension[] =>
  dimensions.filter((each) => !gone.includes(each));

const reachOf = ({ sourceBytes, targetBytes }: Dimension): number =>
  Math.max(Math.abs(sourceBytes), Math.abs(targetBytes));
const byReach = (dimensions: readonly Dimension[]): readonly Dimension[] =>
  dimensions.toSorted((a, b) => reachOf(b) - reachOf(a));

const ONE: Dimension = { count: 1, sourceBytes: 0, targetBytes: 0 };

/** All rows of a few lines of columns, no more than L1d holds until the next bytes of each line are moved. */
function transposed(rows: Dimension, columns: Dimension = ONE, elementBytes: number, nonTemporal: boolean): Pair {
  const most = nonTemporal
    ? OUT_OF_CACHE_BLOCK_BYTES / elementBytes
    : columnsOfBlock(elementBytes, columns.targetBytes);
  return inBlocks(columns, most, (columnCount): TransposedPair => ({
    kind: "transposed",
    elementBytes,
    rows: rows.count,
    rowStrideBytes: rows.sourceBytes,
    columns: columnCount,
    columnStrideBytes: columns.targetBytes,
  }));
}

/** Both sides sequential in the innermost dimension, or, where they differ in it, in blocks of lines of both. */
function nestedRuns(dimensions: readonly Dimension[], lengthBytes: number): Pair {
  const nearest = (stride: (dimension: Dimension) => number): Dimension | undefined =>
    dimensions.toSorted((a, b) => Math.abs(stride(a)) - Math.abs(stride(b)))[0];
  const [source, target] = [nearest(({ sourceBytes }) => sourceBytes), nearest(({ targetBytes }) => targetBytes)];
  if (source === undefined || target === undefined || source === target || lengthBytes >= LINE_BYTES) {
    return nested(byReach(dimensions), run(lengthBytes));
  }
  const block = (BLOCK_LINES * LINE_BYTES) / 2 ** Math.ceil(Math.log2(lengthBytes));
  const blocked = inBlocks(source, block, (sources) =>
    inBlocks(target, block, (targets) =>
      nested(
        [
          { ...source, count: sources },
          { ...target, count: targets },
        ],
        run(lengthBytes),
      ),
    ),
  );
  return nested(byReach(without(dimensions, source, target)), blocked);
}

/** A dimension in blocks of so many, and one of what is left. */
function inBlocks({ count, sourceBytes, targetBytes }: Dimension, block: number, inner: (count: number) => Pair): Pair {
  // A short rest joins the last block.
  const whole = count < 2 * block ? 0 : Math.floor(count / block) - 1;
  const rest = count - whole * block;
  if (whole === 0) return inner(rest);
  return membersOf([
    { sourceBytes: 0, targetBytes: 0, pair: loop(whole, block * sourceBytes, block * targetBytes, inner(block)) },
    { sourceBytes: whole * block * sourceBytes, targetBytes: whole * block * targetBytes, pair: inner(rest) },
  ]);
}

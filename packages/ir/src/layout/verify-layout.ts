import { locate } from "../byte-map/locate.js";
import { runs, type Run } from "../byte-map/runs.js";
import { DatatypeError } from "../errors.js";
import { rebuilt } from "./rebuilt.js";
import type { LayoutFacts } from "./facts.js";
import { requireLayout, type Layout } from "./layout.js";
import type { LayoutNode } from "./node.js";
import { visitNodes } from "./visit-nodes.js";

/** Runs compared one by one; layouts of more are compared at sampled positions of the packed stream as well. */
const RUNS_COMPARED = 200_000;
const POSITIONS_SAMPLED = 1_000;

/**
 * Throws a DatatypeError unless `after` is well-formed and moves the same bytes in the same order as `before`, with
 * the same size and bounds. Exact for the first 200,000 runs of either; beyond those, 1,000 positions spread over the
 * packed stream are compared. It reads `before` as given, so verify that too where it comes from elsewhere.
 */
export function verifyLayout(before: Layout, after: Layout): void {
  requireLayout(before);
  requireLayout(after);
  verifyNodes(after);
  same("size in bytes", before.sizeBytes, after.sizeBytes);
  same("lower bound in bytes", before.lowerBoundBytes, after.lowerBoundBytes);
  same("extent in bytes", before.extentBytes, after.extentBytes);
  same("true lower bound in bytes", before.trueLowerBoundBytes, after.trueLowerBoundBytes);
  same("true extent in bytes", before.trueExtentBytes, after.trueExtentBytes);
  verifyRuns(before, after);
  verifySamples(before, after);
}

function same(subject: string, expected: number, got: number): void {
  if (expected !== got) throw new DatatypeError({ subject, expected: String(expected), got: String(got) });
}

/** Every node's facts are those that its parts give. */
function verifyNodes({ root }: Layout): void {
  const seen = new Set<LayoutNode>();
  visitNodes(
    root,
    (node) => seen.has(node),
    (node) => {
      const facts: LayoutFacts = rebuilt(node);
      for (const fact of ["sizeBytes", "lowBytes", "highBytes", "blockCount", "depth"] as const) {
        same(`${fact} of a ${node.kind} node`, facts[fact], node[fact]);
      }
      if (node.kind === "blocks" && node.blocklengths !== 1) {
        same("number of blocklengths", node.displacementsBytes.length, node.blocklengths.length);
      }
      seen.add(node);
    },
  );
}

function verifyRuns(before: Layout, after: Layout): void {
  const range = { count: 1, first: 0, length: before.sizeBytes };
  const expected = joined(runs(before, range));
  const got = joined(runs(after, range));
  for (let i = 0, packed = 0; i < RUNS_COMPARED; i++) {
    const [left, right] = [expected.next().value, got.next().value];
    if (left === undefined && right === undefined) return;
    same(`offset of packed byte ${packed}`, left?.offsetBytes ?? NaN, right?.offsetBytes ?? NaN);
    same(`length of the run of packed byte ${packed}`, left?.lengthBytes ?? NaN, right?.lengthBytes ?? NaN);
    packed += left?.lengthBytes ?? 0;
  }
}

/** Runs with neighbours that touch made one: how a layout cuts a run is its own affair. */
function* joined(source: Iterable<Run>): Generator<Run, undefined> {
  let last: Run | undefined;
  for (const run of source) {
    if (last !== undefined && last.offsetBytes + last.lengthBytes === run.offsetBytes) {
      last = { offsetBytes: last.offsetBytes, lengthBytes: last.lengthBytes + run.lengthBytes };
    } else {
      if (last !== undefined) yield last;
      last = run;
    }
  }
  if (last !== undefined) yield last;
  return undefined;
}

function verifySamples(before: Layout, after: Layout): void {
  const step = Math.ceil(before.sizeBytes / POSITIONS_SAMPLED);
  for (let packed = 0; packed < before.sizeBytes; packed += step) {
    same(`offset of packed byte ${packed}`, locate(before, packed), locate(after, packed));
  }
}

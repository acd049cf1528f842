import { requireNatural, requireSafeInteger } from "../safe-integer.js";
import { dense } from "./dense.js";
import type { LayoutNode } from "./node.js";
import { stream } from "./stream.js";
import { quoted } from "../checks/quoted.js";
import { requireObject } from "../checks/require-argument.js";
import { ArgumentError } from "../errors.js";
import { isNode, requireNode } from "./require-node.js";

/**
 * Where the bytes of ONE element of a datatype lie, and in which order they are packed; constructor names are gone.
 * Size and bounds are part of a layout's identity: two elements stand extentBytes apart. A layout never holds a
 * count of elements: `repeat` adds one at run time.
 */
export interface Layout {
  /** Offset of the root's zero from the datatype's address 0. */
  readonly startBytes: number;
  readonly root: LayoutNode;
  /** Bytes of data: the length of the packed stream of one element. */
  readonly sizeBytes: number;
  /** The lower bound, from the datatype's address 0. MPI 4.1, section 5.1.7. */
  readonly lowerBoundBytes: number;
  /** The distance from one element to the next; it may be negative. */
  readonly extentBytes: number;
  /** Lowest byte touched, from the datatype's address 0; 0 when the layout is empty. MPI 4.1, section 5.1.8. */
  readonly trueLowerBoundBytes: number;
  /** Bytes from the lowest that is touched to one past the highest; 0 when the layout is empty. */
  readonly trueExtentBytes: number;
}

/** Lower bound and extent of a layout, in bytes: safe integers, which may be negative. */
export interface LayoutBounds {
  readonly lowerBoundBytes: number;
  readonly extentBytes: number;
}

/**
 * The layout of a node whose zero lies `startBytes` from the datatype's address 0, with these bounds. Throws a
 * DatatypeError for numbers that are no safe integers, an ArgumentError where `root` is no node.
 */
export function layout(startBytes: number, root: LayoutNode, bounds: LayoutBounds): Layout {
  requireSafeInteger(startBytes, "start of a layout in bytes");
  requireNode(root, "root of a layout");
  requireObject(bounds, "bounds of a layout", "{ lowerBoundBytes, extentBytes }");
  const empty = root.sizeBytes === 0;
  const trueLowerBoundBytes = empty ? 0 : startBytes + root.lowBytes;
  return Object.freeze({
    startBytes: empty ? 0 : startBytes,
    root,
    sizeBytes: root.sizeBytes,
    lowerBoundBytes: requireSafeInteger(bounds.lowerBoundBytes, "lower bound in bytes"),
    extentBytes: requireSafeInteger(bounds.extentBytes, "extent in bytes"),
    trueLowerBoundBytes: requireSafeInteger(trueLowerBoundBytes, "true lower bound in bytes"),
    trueExtentBytes: empty ? 0 : requireSafeInteger(root.highBytes - root.lowBytes, "true extent in bytes"),
  });
}

/** The layout of a packed stream of `sizeBytes`: bytes [0, sizeBytes), extent equal to size. */
export function denseLayout(sizeBytes: number): Layout {
  return layout(0, dense(sizeBytes), { lowerBoundBytes: 0, extentBytes: sizeBytes });
}

/** Whether elements of this layout, laid side by side, are one packed stream: dense from 0, extent equal to size. */
export function isDenseLayout(candidate: Layout): boolean {
  requireLayout(candidate);
  return (
    candidate.sizeBytes === 0 ||
    (candidate.root.kind === "dense" && candidate.startBytes === 0 && candidate.extentBytes === candidate.sizeBytes)
  );
}

/**
 * The byte map of `count` elements, as one node whose zero lies at the layout's `startBytes`. It collapses to one dense
 * run only where the element is dense and its extent equals its size. Throws a DatatypeError where the reach of the
 * elements leaves the safe integers.
 */
export function repeat(element: Layout, count: number): LayoutNode {
  requireLayout(element);
  requireNatural(count, "count of elements");
  if (count === 1) return element.root;
  if (element.root.kind === "dense" && element.extentBytes === element.sizeBytes) {
    return dense(requireSafeInteger(count * element.sizeBytes, "size of the elements in bytes"));
  }
  return stream(count, element.extentBytes, element.root);
}

const NUMBERS = ["startBytes", "sizeBytes", "lowerBoundBytes", "extentBytes"] as const;

/**
 * Returns `value` where it is a layout; throws an ArgumentError of this subject where plain JavaScript gave no such.
 */
export function requireLayout(value: Layout, subject = "layout"): Layout {
  requireObject(value, subject, "a layout");
  if (isNode(value.root) && NUMBERS.every((name) => Number.isSafeInteger(value[name]))) return value;
  throw new ArgumentError(subject, "a layout", quoted(value));
}

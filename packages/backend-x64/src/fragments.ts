import { ArgumentError, quoted, requireLayout, type Layout, type PackedRange } from "@stowage/ir";

/** What fits a list, and more than anybody sends in fragments. */
const MOST_RANGES = 2 ** 24;

/**
 * Cuts `count` elements into ranges of whole elements, each as long as a fragment of `fragmentBytes` bytes holds: no
 * range starts or ends inside an element, so that its code never looks for its place (DAME, section 3.3, buffer size
 * optimisation). Elements longer than a fragment are cut at every fragment instead. Throws an ArgumentError for a count
 * or a fragment that is no whole number, and for more than 2^24 ranges.
 */
export function wholeElementRanges(layout: Layout, count: number, fragmentBytes: number): readonly PackedRange[] {
  const { sizeBytes } = requireLayout(layout);
  requireInteger("count", count, 0);
  requireInteger("bytes of a fragment", fragmentBytes, 1);
  const total = count * sizeBytes;
  const step =
    sizeBytes > 0 && sizeBytes <= fragmentBytes ? fragmentBytes - (fragmentBytes % sizeBytes) : fragmentBytes;
  if (total / step > MOST_RANGES) throw new ArgumentError("ranges", `at most ${MOST_RANGES}`, `${total} / ${step}`);
  const ranges: PackedRange[] = [];
  for (let first = 0; first < total; first += step)
    ranges.push({ count, first, length: Math.min(step, total - first) });
  return ranges;
}

function requireInteger(subject: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new ArgumentError(subject, `an integer of ${least} or more`, quoted(value));
}

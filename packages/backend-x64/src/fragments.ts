import type { Layout, PackedRange } from "@stowage/ir";

/**
 * Cuts `count` elements into ranges of whole elements, each as long as a fragment of `fragmentBytes` holds: no range
 * starts or ends inside an element, so that its code never looks for its place (DAME, section 3.3, buffer size
 * optimisation). Elements longer than a fragment are cut at every fragment instead.
 */
export function wholeElementRanges(
  { sizeBytes }: Layout,
  count: number,
  fragmentBytes: number,
): readonly PackedRange[] {
  const total = count * sizeBytes;
  const step =
    sizeBytes > 0 && sizeBytes <= fragmentBytes ? fragmentBytes - (fragmentBytes % sizeBytes) : fragmentBytes;
  const ranges: PackedRange[] = [];
  for (let first = 0; first < total; first += step)
    ranges.push({ count, first, length: Math.min(step, total - first) });
  return ranges;
}

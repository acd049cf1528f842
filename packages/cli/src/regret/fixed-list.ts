import { packMove } from "@stowage/backend-api";
import { stridedBlock, type Layout } from "@stowage/ir";
import type { DeviceRoute } from "@stowage/bench/device";

/**
 * Backends in order of preference, which was what chose before times were predicted: what predictions are to be no
 * worse than.
 */
const LISTS = {
  host: ["x64", "cpu"],
  contiguous: ["dma", "cuda-strided", "cuda-generic"],
  strided: ["cuda-strided", "cuda-generic", "dma"],
  irregular: ["cuda-generic", "dma", "cuda-strided"],
} as const;

/** The list for the elements of a layout. */
export function fixedList(layout: Layout, count: number, route: "host" | DeviceRoute): readonly string[] {
  if (route === "host") return LISTS.host;
  const { source } = packMove(layout);
  const isOneRun = source.root.kind === "dense" && (count === 1 || source.extentBytes === source.sizeBytes);
  if (isOneRun) return LISTS.contiguous;
  return stridedBlock(source) === undefined ? LISTS.irregular : LISTS.strided;
}

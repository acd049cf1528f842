import { readFileSync } from "node:fs";

const FOLDER = "/sys/devices/system/cpu/cpu0/cache";
/** By level, as sysfs numbers its entries: data of the first, the second, the last. */
const ENTRIES = { l1Bytes: "index0", l2Bytes: "index2", llcBytes: "index3" } as const;
const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Sizes of this processor's caches, as far as the system tells; others are the shipped ones. */
export function cacheBytes(): Readonly<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const match = /^(\d+)([KMG])/.exec(textOf(`${FOLDER}/${entry}/size`));
    if (match !== null) sizes[name] = Number(match[1]) * (UNITS[match[2] ?? ""] ?? 1);
  }
  return sizes;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

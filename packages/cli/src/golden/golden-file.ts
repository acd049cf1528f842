import { fileURLToPath } from "node:url";

/** The golden file that comes with this package. */
export const goldenFile = (): string => fileURLToPath(new URL("../../golden/openmpi-4.1.4.jsonl", import.meta.url));

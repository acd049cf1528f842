import { HostBuffer, type Memory } from "@stowage/backend-api";

/** Whether plain JavaScript handed over a memory: a buffer, or regions that are buffers. What it holds, bind checks. */
export function isMemory(given: unknown): given is Memory {
  if (!isObject(given)) return false;
  if ("regions" in given) return "kind" in given && Array.isArray(given.regions) && given.regions.every(isRegion);
  return isBuffer(given);
}

const isObject = (given: unknown): given is object => typeof given === "object" && given !== null;

const isRegion = (given: unknown): boolean =>
  isObject(given) &&
  "startBytes" in given &&
  Number.isSafeInteger(given.startBytes) &&
  "buffer" in given &&
  isBuffer(given.buffer);

function isBuffer(given: unknown): boolean {
  if (!isObject(given)) return false;
  if (HostBuffer.is(given as Memory)) return true;
  const { kind, sizeBytes, bytes, address } = given as Readonly<Record<string, unknown>>;
  return (
    typeof kind === "string" &&
    Number.isSafeInteger(sizeBytes) &&
    (sizeBytes as number) >= 0 &&
    (bytes === undefined || isBytes(bytes)) &&
    (address === undefined || typeof address === "number")
  );
}

/** By its tag: it may come from another realm. */
const isBytes = (given: unknown): boolean => Object.prototype.toString.call(given) === "[object Uint8Array]";

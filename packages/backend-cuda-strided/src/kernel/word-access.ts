import type { AccessBits, Builder, LoadHints, StoreHints, Value } from "@stowage/ptx";

/** How many bytes are accessed at once, as a vector of registers. */
export function lanesOf(bytes: number): { readonly bits: AccessBits; readonly lanes: 1 | 2 | 4 } {
  if (bytes === 16) return { bits: 32, lanes: 4 };
  return { bits: (bytes * 8) as AccessBits, lanes: 1 };
}

export function loadWord(builder: Builder, address: Value, bytes: number, hints: LoadHints): Value[] {
  return builder.loadVector("global", address, lanesOf(bytes), hints);
}

export function storeWord(
  builder: Builder,
  address: Value,
  word: readonly Value[],
  bytes: number,
  hints: StoreHints,
): void {
  builder.store("global", address, word, { bits: lanesOf(bytes).bits }, hints);
}

export function loadSharedWord(builder: Builder, address: Value, bytes: number, offsetBytes: number): Value[] {
  return builder.loadVector("shared", address, { ...lanesOf(bytes), offsetBytes });
}

export function storeSharedWord(
  builder: Builder,
  address: Value,
  word: readonly Value[],
  bytes: number,
  offsetBytes: number,
): void {
  builder.store("shared", address, word, { bits: lanesOf(bytes).bits, offsetBytes });
}

/**
 * A vector of the packed side as registers: of 64 bits where words are 8 bytes, else of 32 where there are 4 bytes or
 * more.
 */
function vectorLanes(wordBytes: number, vectorBytes: number): { bits: AccessBits; lanes: 1 | 2 | 4 } {
  if (wordBytes === vectorBytes) return lanesOf(vectorBytes);
  const laneBytes = Math.min(vectorBytes, Math.max(4, wordBytes));
  return { bits: (laneBytes * 8) as AccessBits, lanes: (vectorBytes / laneBytes) as 1 | 2 | 4 };
}

/** Stores words that follow one another as one vector; words below 4 bytes are joined in registers first. */
export function storeVector(
  builder: Builder,
  address: Value,
  words: readonly Value[][],
  wordBytes: number,
  vectorBytes: number,
  hints: StoreHints,
): void {
  const { bits, lanes } = vectorLanes(wordBytes, vectorBytes);
  const registers = words.flat();
  const perLane = registers.length / lanes;
  const joined = Array.from({ length: lanes }, (_, lane) => {
    const parts = registers.slice(lane * perLane, (lane + 1) * perLane);
    return parts.map((part, i) => (i === 0 ? part : part.shl(i * wordBytes * 8))).reduce((all, part) => all.or(part));
  });
  builder.store("global", address, joined, { bits }, hints);
}

/** Loads a vector of the packed side and takes its words apart. */
export function loadVectorWords(
  builder: Builder,
  address: Value,
  wordBytes: number,
  vectorBytes: number,
  hints: LoadHints,
): Value[][] {
  const access = vectorLanes(wordBytes, vectorBytes);
  const lanes = builder.loadVector("global", address, access, hints);
  if (wordBytes === vectorBytes) return [lanes];
  const perLane = access.bits / 8 / wordBytes;
  return lanes.flatMap((lane) =>
    Array.from({ length: perLane }, (_, i) => [i === 0 ? lane : lane.shr(i * wordBytes * 8)]),
  );
}

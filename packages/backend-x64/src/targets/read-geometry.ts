import type { Geometry } from "./geometry.js";

/** eax, ebx, ecx and edx of a leaf and a subleaf; zeros beyond the processor's last leaf. */
export type ReadCpuid = (leaf: number, subleaf: number) => readonly [number, number, number, number];

interface Cache {
  readonly level: number;
  readonly ways: number;
  readonly sets: number;
  readonly bytes: number;
}

/**
 * Where a processor describes its caches: Intel's manual volume 2, CPUID, leaf 4; AMD's volume 3, E.4.15. Both in one
 * form.
 */
const CACHE_LEAVES = [0x4, 0x8000001d];
const MOST_SUBLEAVES = 16;
const LEAF_OF_TLBS = 0x18;
/** AMD's manual, volume 3, E.4.5: the caches that have no such leaf, and the dTLB. */
const LEAF_OF_L2 = 0x80000006;

/** As far as cpuid tells. A leaf is asked whoever made the processor: one that lacks it reads as zeros. */
export function geometryOf(read: ReadCpuid): Partial<Geometry> {
  const caches = CACHE_LEAVES.map((leaf) => cachesOf(read, leaf)).find((each) => each.length > 0) ?? [];
  const at = (level: number): Cache | undefined => caches.find((each) => each.level === level);
  const [l1d, l2, llc] = [at(1), at(2), at(3)];
  const dtlbPages = Math.max(pagesOfLeaf(read), pagesOfL2(read));
  return {
    ...(l1d === undefined ? {} : { l1d: { sets: l1d.sets, ways: l1d.ways } }),
    ...(l2 === undefined ? {} : { l2Bytes: l2.bytes }),
    // A processor that lists its caches and no third has none.
    ...(caches.length === 0 ? {} : { llcBytes: llc?.bytes ?? 0 }),
    ...(dtlbPages === 0 ? {} : { dtlbPages }),
  };
}

const bits = (word: number, low: number, count: number): number => (word >>> low) & (2 ** count - 1);

const INSTRUCTIONS = 2;

/** Those of data, alone or with instructions. */
function cachesOf(read: ReadCpuid, leaf: number): readonly Cache[] {
  const caches: Cache[] = [];
  for (let subleaf = 0; subleaf < MOST_SUBLEAVES; subleaf++) {
    const [a, b, c] = read(leaf, subleaf);
    const kind = bits(a, 0, 5);
    if (kind === 0) break;
    const [ways, partitions, lineBytes, sets] = [bits(b, 22, 10) + 1, bits(b, 12, 10) + 1, bits(b, 0, 12) + 1, c + 1];
    if (kind !== INSTRUCTIONS)
      caches.push({ level: bits(a, 5, 3), ways, sets: sets * partitions, bytes: ways * partitions * lineBytes * sets });
  }
  return caches;
}

const DATA = 1;
const UNIFIED = 3;

/** Intel's manual, volume 2, CPUID, leaf 18H: the largest of the TLBs that hold data's pages of 4 KiB. */
function pagesOfLeaf(read: ReadCpuid): number {
  const [last] = read(LEAF_OF_TLBS, 0);
  let most = 0;
  for (let subleaf = 0; subleaf <= Math.min(last, MOST_SUBLEAVES); subleaf++) {
    const [, b, sets, d] = read(LEAF_OF_TLBS, subleaf);
    const kind = bits(d, 0, 5);
    if ((kind === DATA || kind === UNIFIED) && bits(b, 0, 1) === 1) most = Math.max(most, bits(b, 16, 16) * sets);
  }
  return most;
}

const pagesOfL2 = (read: ReadCpuid): number => bits(read(LEAF_OF_L2, 0)[1], 16, 12);

import type { Cpuid, Registers } from "./cpuid.js";
import type { Cache, Geometry } from "./geometry.js";
import { LINE_BYTES } from "../loops/cache.js";

/** Deterministic cache parameters: Intel's leaf, and AMD's, which has the same registers. */
const CACHE_LEAVES = [0x4, 0x8000_001d] as const;
/** Deterministic address translation parameters (Intel). */
const TRANSLATION_LEAF = 0x18;
/** L2 cache and TLB identifiers (AMD). */
const AMD_TLB_LEAF = 0x8000_0006;
const EXTENDED_LEAVES = 0x8000_0000;
/** More entries than any processor has. */
const MOST_ENTRIES = 16;

const bits = (word: number, high: number, low: number): number => (word >>> low) % 2 ** (high - low + 1);

/**
 * What cpuid tells; what is not there, or is not of lines of 64 bytes, is left out. A virtual machine may hide a level or show a
 * TLB that the processor has not. Intel SDM volume 2, CPUID, leaves 4 and 18H; AMD APM volume 3, E.4.5 and E.4.15.
 */
export function readGeometry(cpuid: Cpuid): Partial<Geometry> {
  const levels = readCaches(cpuid);
  const [l1d, l2, llc] = [levels.get(1), levels.get(2), levels.get(Math.max(...levels.keys()))];
  const dtlbPages = readDtlbPages(cpuid);
  return {
    ...(l1d === undefined ? {} : { l1d }),
    ...(l2 === undefined ? {} : { l2 }),
    ...(llc === undefined || llc === l1d ? {} : { llc }),
    ...(dtlbPages === 0 ? {} : { dtlbPages }),
  };
}

function readCaches(cpuid: Cpuid): ReadonlyMap<number, Cache> {
  for (const leaf of CACHE_LEAVES) {
    const levels = new Map(entriesOf(cpuid, leaf).flatMap(cacheOf));
    if (levels.size > 0) return levels;
  }
  return new Map();
}

/** The subleaves of a leaf up to the first that says there are no more. */
function entriesOf(cpuid: Cpuid, leaf: number): readonly Registers[] {
  const entries: Registers[] = [];
  if (!hasLeaf(cpuid, leaf)) return entries;
  for (let subleaf = 0; subleaf < MOST_ENTRIES; subleaf++) {
    const entry = cpuid(leaf, subleaf);
    if (bits(entry.eax, 4, 0) === 0) break;
    entries.push(entry);
  }
  return entries;
}

/** Beyond the largest one, Intel's processors answer with the largest one's registers. */
const hasLeaf = (cpuid: Cpuid, leaf: number): boolean =>
  leaf <= cpuid(leaf < EXTENDED_LEAVES ? 0 : EXTENDED_LEAVES, 0).eax;

const DATA = 1;
const UNIFIED = 3;

/** The level and the geometry of a cache that holds data. */
function cacheOf({ eax, ebx, ecx }: Registers): readonly (readonly [number, Cache])[] {
  const [type, level] = [bits(eax, 4, 0), bits(eax, 7, 5)];
  const [ways, partitions, line, sets] = [bits(ebx, 31, 22) + 1, bits(ebx, 21, 12) + 1, bits(ebx, 11, 0) + 1, ecx + 1];
  const isDescribed = (type === DATA || type === UNIFIED) && partitions === 1 && line === LINE_BYTES;
  return isDescribed ? [[level, { ways, sets }]] : [];
}

function readDtlbPages(cpuid: Cpuid): number {
  const intel = hasLeaf(cpuid, TRANSLATION_LEAF) ? intelDtlbPages(cpuid) : 0;
  return intel > 0 || !hasLeaf(cpuid, AMD_TLB_LEAF) ? intel : bits(cpuid(AMD_TLB_LEAF, 0).ebx, 27, 16);
}

/** Its first subleaf may be of a level that the processor lacks; how many there are is the first one's eax. */
function intelDtlbPages(cpuid: Cpuid): number {
  let most = 0;
  const last = Math.min(MOST_ENTRIES, cpuid(TRANSLATION_LEAF, 0).eax);
  for (let subleaf = 0; subleaf <= last; subleaf++) {
    const { ebx, ecx, edx } = cpuid(TRANSLATION_LEAF, subleaf);
    const [type, holdsSmallPages] = [bits(edx, 4, 0), bits(ebx, 0, 0) === 1];
    if (holdsSmallPages && (type === DATA || type === UNIFIED)) most = Math.max(most, bits(ebx, 31, 16) * ecx);
  }
  return most;
}

/** What PTX is printed for. */
export interface Target {
  /** Compute capability × 10, such as 75 or 90. */
  readonly arch: number;
  /** The version of the PTX ISA, such as "7.8". Default: the oldest that knows the architecture and what we print. */
  readonly ptxVersion?: string;
}

/** PTX ISA, release notes: the first version that knows each architecture. 7.8 is what our cache hints need. */
const FIRST_VERSION: readonly (readonly [arch: number, version: string])[] = [
  [75, "7.8"],
  [100, "8.6"],
  [101, "8.6"],
  [103, "8.8"],
  [110, "9.0"],
  [120, "8.7"],
  [121, "8.8"],
];
/** The oldest architecture that we print for: older devices lack what we print. */
export const OLDEST_ARCH = 75;
const SM_88_VERSION = "9.0";

/** Up to here every version passes parameters; more came with 8.1 (PTX ISA 7.1.1). */
const SMALL_PARAMETERS_BYTES = 4352;
const LARGE_PARAMETERS_VERSION = "8.1";

/** Throws a RangeError below sm_75. */
export function versionFor({ arch, ptxVersion }: Target, parameterBytes: number): string {
  if (!Number.isInteger(arch) || arch < OLDEST_ARCH) {
    throw new RangeError(`PTX target: expected sm_${OLDEST_ARCH} or later, got sm_${arch}`);
  }
  if (ptxVersion !== undefined) return ptxVersion;
  if (arch === 88) return SM_88_VERSION;
  const known = FIRST_VERSION.filter(([first]) => first <= arch).at(-1);
  const version = known?.[1] ?? "7.8";
  return parameterBytes > SMALL_PARAMETERS_BYTES && Number(version) < 8.1 ? LARGE_PARAMETERS_VERSION : version;
}

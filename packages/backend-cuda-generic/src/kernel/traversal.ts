import type { Builder, Value } from "@stowage/ptx";

/** Addresses stay below 2^57, and so does their exclusive or. */
const NO_ADDRESS = 2n ** 63n;

/**
 * Keeps addresses from being optimised away without touching what lies there: what a walk alone takes, as Jenkins et
 * al. timed it (Cluster 2012, Figure 6).
 */
export function foldAddresses(k: Builder, addresses: readonly Value[]): void {
  const folded = addresses.reduce((sum, address) => sum.xor(address));
  k.if(folded.eq(NO_ADDRESS), () => k.store("global", folded, [folded], { bits: 64 }));
}

import type { Kernel } from "../ir/index.js";

/**
 * Bytes of one access site: i64 start of the window last hit, i64 span of addresses that fit, i64 offset to
 * WebAssembly.
 */
export const SITE_BYTES = 24;
const LANES = 32;
const SLOT_BYTES = 8;

/** Where a launch keeps its own data, from the base of its workspace. Frames, one a warp, lie at the end. */
export interface Workspace {
  readonly sites: number;
  readonly addresses: number;
  readonly shared: number;
  readonly frames: number;
  readonly frameBytes: number;
}

/** The parameter buffer lies at the base itself. */
export function layWorkspace(kernel: Kernel, siteCount: number, keptCount: number): Workspace {
  const sites = aligned(kernel.parameterBytes);
  const addresses = aligned(sites + siteCount * SITE_BYTES);
  const shared = aligned(addresses + siteCount * LANES * SLOT_BYTES);
  const frames = aligned(shared + kernel.sharedBytes);
  return { sites, addresses, shared, frames, frameBytes: keptCount * LANES * SLOT_BYTES };
}

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;

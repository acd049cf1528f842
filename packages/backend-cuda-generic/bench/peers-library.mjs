import { createRequire } from "node:module";

const koffi = createRequire(import.meta.resolve("@stowage/cuda-driver"))("koffi");
const ON_DEVICE = "uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t";
const BY_HOST = "uint64_t, const uint32_t *, uint64_t, const uint32_t *, uint32_t, uint32_t, uint64_t";
const PAGES = "uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint64_t, uint32_t";
const STRIDES = "const int64_t *, const int64_t *, const int64_t *";

export const must = (status, what) => {
  if (status !== 0) throw new Error(`${what}: expected status 0, got ${status}`);
};

/**
 * What build-pages-peers.sh builds; `mdspan` gives CCCL's copy for some types, undefined where it was built without.
 */
export function openPeers(path) {
  const library = koffi.load(path);
  return {
    warp: library.func(`int peer_warp(${ON_DEVICE}, uint64_t)`),
    sgl: library.func(`int peer_sgl(${ON_DEVICE}, uint64_t)`),
    cub: library.func(`int peer_cub(${ON_DEVICE}, uint64_t, _Inout_ uint64_t *, uint64_t)`),
    batch: library.func(`int peer_batch(${BY_HOST})`),
    batch3d: library.func(`int peer_batch_3d(${BY_HOST})`),
    noise: library.func("int fill_noise(uint64_t, uint64_t, uint64_t)"),
    pages: library.func(`int compare_pages(${PAGES}, uint64_t, uint64_t)`),
    others: library.func("int compare_others(uint64_t, uint64_t, uint64_t, uint64_t)"),
    strided: library.func(`int compare_strided(uint64_t, uint64_t, int, ${STRIDES}, uint32_t, uint64_t, uint64_t)`),
    mdspan(element, index, rank) {
      const name = `peer_mdspan_${element}_${index}_${rank}`;
      try {
        return library.func(`int ${name}(uint64_t, uint64_t, ${STRIDES}, uint64_t)`);
      } catch {
        console.log(`${name} is absent: the peers were built without CCCL's copy of mdspans`);
        return undefined;
      }
    },
  };
}

// Other libraries and kernels by hand that copy pages and mdspans on a GPU, which lab/c/build-pages-peers.sh builds,
// and the kernels that compare what copies left.
import koffi from "koffi";
import { pattern } from "./pattern.mjs";

/** What targets hold where nothing was written; the kernels that compare know it, too. */
export const ERASED = 0xee;
export const PEERS = {
  peers: { kind: "text", says: "other libraries, lab/c/pages-peers.cu as lab/c/build-pages-peers.sh builds it" },
  python: { kind: "text", says: "a python3 that has torch and triton" },
};
const ON_DEVICE = "uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t";
const BY_HOST = "uint64_t, const uint32_t *, uint64_t, const uint32_t *, uint32_t, uint32_t, uint64_t";
const PAGES = "uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint64_t, uint32_t";
const STRIDES = "const int64_t *, const int64_t *, const int64_t *";

export const must = (status, what) => {
  if (status !== 0) throw new Error(`${what}: expected status 0, got ${status}`);
};

/** `mdspan` gives CCCL's copy for some types, undefined where the library was built without. */
export function openPeers(path, lab) {
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
        lab.remark(`${name} is absent: the peers were built without CCCL's copy of mdspans`);
        return undefined;
      }
    },
  };
}

/** Bytes in memory of which no two words are equal by chance. */
export function fillWithNoise(gpu, peers, memory) {
  if (peers === undefined) return gpu.write(memory, pattern(memory.sizeBytes, 1));
  must(peers.noise(memory.address, memory.sizeBytes, gpu.stream.handle), "noise");
  gpu.stream.synchronize();
}

/**
 * Throws one line where `compare`, which is given the address of a counter, finds wrong bytes; or where any byte of a
 * target's first `targetBytes` was written besides, since `compare` erases what is right.
 */
export function requireNoneWrong(gpu, peers, who, target, targetBytes, compare) {
  const { context, stream } = gpu;
  const counter = context.deviceMemory(16);
  try {
    gpu.fill(counter, 0);
    compare(counter.address);
    must(peers.others(target.address, targetBytes, counter.address, stream.handle), "compare");
    stream.synchronize();
    const wrong = Buffer.from(gpu.read(counter, 0, 8)).readBigUInt64LE();
    if (wrong !== 0n) throw new Error(`${who}: expected no wrong byte, got ${wrong}`);
  } finally {
    counter[Symbol.dispose]();
  }
}

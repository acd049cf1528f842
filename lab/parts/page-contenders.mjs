// Who copies a cell's pages: ours by tables in some tunings, and where those are compared with others, these.
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { DmaBackend } from "@stowage/backend-dma";
import { copyBytes } from "@stowage/cuda-driver";
import { must } from "./cuda-peers.mjs";
import { checkPages, sideBySide } from "./page-cells.mjs";
import { chosenWay, pageEntrant, planned } from "./page-plans.mjs";

/** Of copies one by one: more of them say nothing new. */
const MOST_BATCHED = 1024;

/** Pages as mdspans of pages, heads or tokens, and 64 words of 4 bytes: lengths, and strides of either side. */
export const MDSPANS = {
  "pages/tokens-to-heads": { lengths: [0, 8, 16, 64], source: [8192, 64, 512, 1], target: [8192, 1024, 64, 1] },
  "pages/heads-4-of-8": { lengths: [0, 16, 4, 64], source: [8192, 512, 64, 1], target: [4096, 256, 64, 1] },
  "pages/heads-1-of-8": { lengths: [0, 16, 1, 64], source: [8192, 512, 64, 1], target: [1024, 64, 64, 1] },
};

const isOnDevice = ({ memory: { source, target } }) => source.kind === "device" && target.kind === "device";

/** Copies that move the pages one by one. */
const copiesOf = ({ count, runs, pools, groups }) => count * runs.flat().length * (pools.source.length / groups.length);

/** Whether pages are whole and follow each other without gaps. */
const isPlain = ({ groups, sides, runs }) =>
  groups.every(({ source, target }, g) => {
    const length = sides[g].source.sizeBytes;
    return runs[g].length === 1 && source.strideBytes === length && target.strideBytes === length;
  });

function ours(cell, name, backend, ...rest) {
  const { plan, held } = planned(cell, backend, ...rest);
  return { [name]: pageEntrant(cell, name, () => plan.run(cell.gpu.stream).wait(), held) };
}

/** A call of `send` for each pool, and one wait. */
const eachPool = (cell, name, send) =>
  pageEntrant(cell, name, () => {
    const { gpu, memory, pools, sides } = cell;
    pools.source.forEach(({ originBytes, group }, i) => {
      const [source, target] = [
        memory.source.address + originBytes,
        memory.target.address + pools.target[i].originBytes,
      ];
      must(send(source, target, sides[group].source.sizeBytes), name);
    });
    gpu.stream.synchronize();
  });

/** Kernels by hand on the cell's tables, and the driver's batches on the host's. */
function byHand(cell) {
  const { peers, gpu, count, from, to, fromTable, toTable, sides } = cell;
  const queue = gpu.stream.handle;
  const onTables = (name, call) =>
    eachPool(cell, name, (source, target, length) =>
      call(source, fromTable.address, target, toTable.address, count, length, queue),
    );
  const byHost = (name, call) =>
    eachPool(cell, name, (source, target, length) => call(source, from, target, to, count, length, queue));
  const divides = (word) => sides.every(({ source }) => source.sizeBytes % word === 0);
  const isBatched = copiesOf(cell) <= MOST_BATCHED && isOnDevice(cell);
  return {
    ...(divides(16) ? { "a warp a page": onTables("a warp a page", peers.warp) } : {}),
    ...(divides(8) ? { "sgl_kernel's way": onTables("sgl_kernel's way", peers.sgl) } : {}),
    ...(cell.pools.source.length === 1 ? cub(cell) : {}),
    ...(isBatched ? { cuMemcpyBatchAsync: byHost("cuMemcpyBatchAsync", peers.batch) } : {}),
    ...(isBatched ? { cuMemcpy3DBatchAsync: byHost("cuMemcpy3DBatchAsync", peers.batch3d) } : {}),
  };
}

function cub(cell) {
  const { peers, gpu, memory, count, pageBytes, fromTable, toTable } = cell;
  const [source, target] = [memory.source.address, memory.target.address];
  const roomBytes = [0n];
  const call = (room) => {
    const tables = [fromTable.address, toTable.address];
    const moved = [source, tables[0], target, tables[1], count, pageBytes];
    must(peers.cub(...moved, room, roomBytes, gpu.stream.handle), "CUB");
  };
  call(0);
  const room = gpu.context.deviceMemory(Number(roomBytes[0]));
  const run = () => (call(room.address), gpu.stream.synchronize());
  return { "CUB Batched": pageEntrant(cell, "CUB", run, [room]) };
}

/** CCCL's copy, of pages in order. */
function inCccl(cell) {
  const shape = MDSPANS[cell.name];
  const mdspan = cell.isOrdered && shape !== undefined ? cell.peers?.mdspan("int", "int", 4) : undefined;
  if (mdspan === undefined) return {};
  const lists = [shape.lengths, shape.source, shape.target].map((each) => BigInt64Array.from(each, BigInt));
  lists[0][0] = BigInt(cell.count);
  const send = (source, target) => mdspan(source, target, ...lists, cell.gpu.stream.handle);
  return { "CCCL copy of mdspans": eachPool(cell, "CCCL copy of mdspans", send) };
}

function inPython(cell) {
  const { python, name, placed, pools, from, to } = cell;
  const isReordered = name === "pages/tokens-to-heads";
  const isTaken = isReordered || (isPlain(cell) && pools.source.length === 1 && placed !== "target");
  if (python === undefined || !isTaken || !isOnDevice(cell)) return {};
  const heads = isReordered ? { heads: [16, 8] } : {};
  return python.take({ pageBytes: cell.sides[0].source.sizeBytes, dense: placed === "source", ...heads }, from, to);
}

/** As many bytes side by side. */
function plainCopy(cell) {
  const { gpu, memory, bytes } = cell;
  const plain = copyBytes(gpu.context, memory.target.address, memory.source.address, bytes);
  const run = () => (plain.run(gpu.stream), gpu.stream.synchronize());
  const check = () => {
    const row = sideBySide(cell);
    checkPages(row, "copy", run);
    row[Symbol.dispose]();
  };
  return { copy: { run, check } };
}

/** Ours with each tuning of cuda-generic by its name, and other ways besides where `isCompared`. */
export function pageContenders(cell, tunings, isCompared) {
  const { gpu, name, placed, peers } = cell;
  const { driver } = gpu;
  const generic = Object.entries(tunings).map(([each, tuning]) =>
    ours(cell, each, new CudaGenericBackend({ driver, tuning })),
  );
  const others = () => [
    copiesOf(cell) <= MOST_BATCHED ? ours(cell, "dma", new DmaBackend(() => driver), "u32", "host") : {},
    placed === "both" ? chosenWay(cell) : {},
    name === "pages/2048" ? ours(cell, "tables i64", new CudaGenericBackend({ driver }), "i64") : {},
    peers !== undefined && isPlain(cell) ? byHand(cell) : {},
  ];
  return Object.assign(
    {},
    ...generic,
    ...(isCompared ? others() : []),
    inCccl(cell),
    plainCopy(cell),
    isCompared ? inPython(cell) : {},
  );
}

// Routes between a device and the host, beside the driver's own copies: node routes.mjs PART OUT.json [--simulated].
// Parts: faces, one-shot, pipelined, latency, busy, hacc, bulk, many-copies. Every row's bytes were compared first.
import { conditions, packMove, addressSpace } from "@stowage/backend-api";
import { copyBytes } from "@stowage/cuda-driver";
import { canonicalise, contiguous, forEachRun, lower, predefined, vector } from "@stowage/ir";
import { workload } from "@stowage/workloads";
import { bulk } from "./bulk.mjs";
import { busyParts } from "./busy.mjs";
import { room, Strided } from "./cases.mjs";
import {
  backends,
  bytesOf,
  context,
  measure,
  requireSame,
  Results,
  routeOf,
  simulated,
  stream,
  upload,
  us,
  warmUp,
  words,
} from "./harness.mjs";
import { latency } from "./latency.mjs";
import { manyCopies } from "./many-copies.mjs";

const [part, out] = process.argv.slice(2);
const results = new Results(out);
const KIB = 1024;
const MIB = 2 ** 20;
const double = predefined("MPI_DOUBLE");
const DIRECTIONS = ["pack", "unpack"];
const PACKERS = ["cuda-strided", "cuda-generic", "dma"];

const rowsOf = (name, sizeBytes, direction, measured) =>
  measured.map((row) => ({
    workload: name,
    count: 1,
    packedBytes: sizeBytes,
    direction,
    route: routeOf(row.contender),
    verified: true,
    commitNs: 0,
    ...row,
  }));

function show(name, direction, sizeBytes, measured) {
  const text = measured
    .slice()
    .sort((a, b) => a.medianNs - b.medianNs)
    .map(({ contender, medianNs }) => `${contender} ${us(medianNs)} us (${(sizeBytes / medianNs).toFixed(1)})`);
  console.log(`${name} ${direction} ${sizeBytes} B: ${text.slice(0, 9).join(", ")}`);
}

function race(strided, direction, contenders, options) {
  const running = contenders.filter((each) => each !== undefined);
  // Unpacks that were timed before wrote there.
  upload(strided.data.address, strided.image);
  for (const contender of running) strided.verify(contender, direction);
  const measured = measure(running, options);
  show(strided.name, direction, strided.sizeBytes, measured);
  results.add(rowsOf(strided.name, strided.sizeBytes, direction, measured));
  for (const contender of running) contender[Symbol.dispose]?.();
  return measured;
}

const vectorOf = (blockBytes, pitchBytes, sizeBytes) => {
  const [block, pitch] = [blockBytes / 8, pitchBytes / 8];
  return canonicalise(
    lower(block === pitch ? contiguous(sizeBytes / 8, double) : vector(sizeBytes / blockBytes, block, pitch, double)),
  );
};

/** Table 2 of Cluster 2012: faces of cubes of doubles, to the host. */
function faces() {
  const edges = simulated ? [16] : [64, 128, 256, 512];
  const most = edges.at(-1);
  const { data, image } = room(most ** 3 * 8);
  const packed = context.pinnedMemory(most ** 2 * 8);
  for (const n of edges) {
    const shapes = { "X-Y": [n * n * 8, 1, n * n * 8], "X-Z": [n * 8, n, n * n * 8], "Y-Z": [8, n * n, n * 8] };
    for (const [face, [rowBytes, rows, pitchBytes]] of Object.entries(shapes)) {
      const layout =
        rows === 1
          ? canonicalise(lower(contiguous(n * n, double)))
          : canonicalise(lower(vector(rows, rowBytes / 8, pitchBytes / 8, double)));
      const strided = new Strided({ name: `${face}/${n}`, layout, rowBytes, rows, pitchBytes, data, packed, image });
      const names = [
        ...PACKERS,
        ...["one-shot", "device", "pipelined"].flatMap((route) => PACKERS.map((packer) => `${route}/${packer}`)),
      ];
      const ours = names.filter((name) => name !== "dma").map((name) => strided.contender(name, "pack"));
      const measured = race(
        strided,
        "pack",
        [...ours, strided.copyCall("pack"), strided.byHand(), strided.plainCopy("pack")],
        { budgetMs: 40 },
      );
      const of = (name) => measured.find(({ contender }) => contender === name)?.medianNs ?? Infinity;
      const best = Math.min(...measured.map(({ medianNs }) => medianNs));
      const known = names.filter((name) => Number.isFinite(of(name)));
      const chosen = known.sort((a, b) => strided.predicted(a, "pack") - strided.predicted(b, "pack"))[0];
      console.log(`  least predicted: ${chosen}, ${(of(chosen) / best).toFixed(3)} of the best`);
    }
  }
}

/** 64 MiB by one launch on mapped memory, by how many blocks it may have. */
function oneShot() {
  const size = simulated ? 64 * KIB : 64 * MIB;
  const { data, image } = room(2 * size);
  const packed = context.pinnedMemory(size);
  for (const blockBytes of [8, 16, 32, 64, 128, 512, 4096]) {
    const layout = vectorOf(blockBytes, 2 * blockBytes, size);
    const strided = new Strided({
      name: `vector-${blockBytes}`,
      layout,
      rowBytes: blockBytes,
      rows: size / blockBytes,
      pitchBytes: 2 * blockBytes,
      data,
      packed,
      image,
    });
    for (const direction of DIRECTIONS) {
      const ours = ["cuda-strided", "cuda-generic"].flatMap((packer) =>
        [1, 2, 4, 8].map((smBudget) =>
          strided.contender(`one-shot/${packer}`, direction, {
            smBudget,
            as: `one-shot/${packer}, ${smBudget} blocks`,
          }),
        ),
      );
      race(strided, direction, [...ours, strided.copyCall(direction), strided.plainCopy(direction)], { budgetMs: 30 });
    }
  }
}

/** 256 MiB in chunks, for every block size, beside the plain copy of the same run. */
function pipelined() {
  const size = simulated ? 256 * KIB : 256 * MIB;
  const { data, image } = room(2 * size);
  const packed = context.pinnedMemory(size);
  for (const blockBytes of [8, 16, 32, 64, 128, 512, 4096]) {
    const layout = vectorOf(blockBytes, 2 * blockBytes, size);
    const strided = new Strided({
      name: `vector-${blockBytes}`,
      layout,
      rowBytes: blockBytes,
      rows: size / blockBytes,
      pitchBytes: 2 * blockBytes,
      data,
      packed,
      image,
    });
    for (const direction of DIRECTIONS) {
      const ours = ["pipelined/cuda-strided", "pipelined/cuda-generic"].map((name) =>
        strided.contender(name, direction),
      );
      const measured = race(strided, direction, [...ours, strided.plainCopy(direction)], { budgetMs: 90, perTurn: 1 });
      const plain = measured.at(-1).medianNs;
      console.log(
        `  of the plain copy: ${measured.map(({ contender, medianNs }) => `${contender} ${((100 * plain) / medianNs).toFixed(1)} %`).join(", ")}`,
      );
    }
  }
}

/** HACC's structure (Table 4 of TPDS 2014): each run of it in an allocation of its own. */
function hacc() {
  for (let rank = 0; rank < (simulated ? 1 : 8); rank++) {
    const block = workload(`vblock/${rank}`);
    const layout = canonicalise(lower(block.datatype));
    const runs = [];
    forEachRun(
      layout,
      { count: 1, first: 0, length: layout.sizeBytes },
      (startBytes, sizeBytes) => void runs.push({ startBytes, sizeBytes }),
    );
    const packed = context.pinnedMemory(layout.sizeBytes);
    const expected = new Uint8Array(layout.sizeBytes);
    let at = 0;
    const regions = runs.map(({ startBytes, sizeBytes }, i) => {
      const buffer = context.deviceMemory(sizeBytes);
      const image = bytesOf(words(Math.ceil(sizeBytes / 4) * 4, i)).slice(0, sizeBytes);
      upload(buffer.address, image);
      expected.set(image, at);
      at += sizeBytes;
      return { startBytes, buffer };
    });
    const binding = {
      source: { memory: addressSpace(regions), originBytes: 0 },
      target: { memory: packed, originBytes: 0 },
      count: 1,
      first: 0,
      length: layout.sizeBytes,
    };
    const kinds = conditions({ sourceKind: "device", targetKind: "pinned" });
    const ours = ["cuda-generic", "one-shot/cuda-generic", "device/cuda-generic", "pipelined/cuda-generic", "dma"].map(
      (name) => {
        const backend = backends.get(name);
        const plan = backend.load(backend.compile([packMove(layout)], kinds)).bind([binding]);
        return { name, run: () => plan.run(stream).wait() };
      },
    );
    let offset = 0;
    const copies = regions.map(({ buffer }, i) => {
      const copy = copyBytes(context, packed.address + offset, buffer.address, runs[i].sizeBytes);
      offset += runs[i].sizeBytes;
      return copy;
    });
    const aField = {
      name: "one copy a field",
      run: () => (copies.forEach((copy) => copy.run(stream)), stream.synchronize()),
    };
    const contenders = [...ours, aField];
    for (const { name, run } of contenders) {
      packed.bytes.fill(0);
      run();
      requireSame(`${name}, vblock/${rank}`, packed.bytes, expected);
    }
    const measured = measure(contenders);
    show(`vblock/${rank}`, "pack", layout.sizeBytes, measured);
    results.add(rowsOf(`vblock/${rank}`, layout.sizeBytes, "pack", measured));
    for (const { buffer } of regions) buffer[Symbol.dispose]();
    packed[Symbol.dispose]();
  }
}

const PARTS = {
  faces,
  "one-shot": oneShot,
  pipelined,
  hacc,
  bulk: () => bulk(results),
  "many-copies": () => manyCopies(results),
  latency: () => latency(results),
  busy: () => busyParts(results),
};
const run = PARTS[part];
if (run === undefined) throw new Error(`part: expected one of ${Object.keys(PARTS).join(", ")}, got ${part}`);
const begun = performance.now();
warmUp();
run();
console.log(`${part}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);

// A struct of pointers to eight arrays (Jenkins et al. 2014, section 5.2): one launch over all allocations, against
// one copy a field and packing on the CPU. node hacc.mjs OUT.json
import { writeFileSync } from "node:fs";
import { addressSpace, conditions, packMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { commitHash, scriptCommand } from "@stowage/bench";
import { copyBytes, openCuda } from "@stowage/cuda-driver";
import { canonicalise, hindexed, lower, predefined } from "@stowage/ir";

const [out = "hacc.json"] = process.argv.slice(2);
const driver = openCuda();
const context = driver.context();
const stream = context.stream();
const FIELDS = 8;
const rows = [];
const median = (list) => list.slice().sort((a, b) => a - b)[list.length >> 1];

for (const particles of [100, 1000, 10_000, 100_000, 1_000_000]) {
  const fieldBytes = particles * 4;
  const arrays = Array.from({ length: FIELDS }, () => context.deviceMemory(fieldBytes));
  const host = arrays.map((_, field) =>
    Uint8Array.from({ length: fieldBytes }, (_value, i) => (i * 31 + field * 7 + (i >> 8)) & 255),
  );
  arrays.forEach((array, i) =>
    copyBytes(context, array.address, context.libcuda.addressOf(host[i]), fieldBytes).run(stream),
  );
  const packed = context.pinnedMemory(FIELDS * fieldBytes);
  stream.synchronize();
  const layout = canonicalise(
    lower(
      hindexed(
        arrays.map(() => particles),
        arrays.map(({ address }) => address),
        predefined("MPI_FLOAT"),
      ),
    ),
  );
  const regions = arrays.map((buffer) => ({ startBytes: buffer.address, buffer }));
  const space = addressSpace(regions);
  const contender = (tier) => {
    const backend = new CudaGenericBackend({ driver, tuning: { tier } });
    const kernel = backend.load(
      backend.compile([packMove(layout)], conditions({ sourceKind: "device", targetKind: "pinned" })),
    );
    const plan = kernel.bind([
      {
        source: { memory: space, originBytes: 0 },
        target: { memory: packed, originBytes: 0 },
        count: 1,
        first: 0,
        length: layout.sizeBytes,
      },
    ]);
    return {
      name: tier === "generic" ? "cuda-generic" : "cuda-generic/specialised",
      run: () => plan.run(stream).wait(),
    };
  };
  const copies = arrays.map((array, i) =>
    copyBytes(context, packed.address + i * fieldBytes, array.address, fieldBytes),
  );
  const contenders = [
    contender("generic"),
    contender("specialised"),
    {
      name: "one copy a field",
      run: () => {
        for (const copy of copies) copy.run(stream);
        stream.synchronize();
      },
    },
    { name: "cpu", run: () => host.forEach((bytes, i) => packed.bytes.set(bytes, i * fieldBytes)) },
  ];
  for (const { name, run } of contenders) {
    packed.bytes.fill(0xee);
    run();
    const verified = host.every(
      (bytes, i) => Buffer.compare(packed.bytes.subarray(i * fieldBytes, (i + 1) * fieldBytes), bytes) === 0,
    );
    if (!verified) throw new Error(`${name} of ${particles} particles: wrong bytes`);
  }
  const times = contenders.map(() => []);
  for (let turn = 0; turn < 40; turn++) {
    contenders.forEach(({ run }, c) => {
      for (let call = 0; call < 6; call++) {
        const before = process.hrtime.bigint();
        run();
        if (call > 0 && turn > 1) times[c].push(Number(process.hrtime.bigint() - before));
      }
    });
  }
  contenders.forEach(({ name }, c) => {
    const row = {
      workload: "hacc-fields",
      count: particles,
      packedBytes: FIELDS * fieldBytes,
      direction: "pack",
      route: "one-shot",
      contender: name,
      medianNs: median(times[c]),
      minNs: Math.min(...times[c]),
      maxNs: Math.max(...times[c]),
      runs: times[c].length,
      verified: true,
    };
    rows.push(row);
    console.log(`${particles} particles ${name.padEnd(26)} ${(row.medianNs / 1000).toFixed(1)} us`);
  });
  for (const memory of [...arrays, packed]) memory[Symbol.dispose]();
}
const machine = { gpu: context.device.name, driver: driver.version, node: process.version };
writeFileSync(
  out,
  `${JSON.stringify({ schema: "stowage-results/1", command: scriptCommand(), date: new Date().toISOString(), commit: commitHash(), machine, rows }, null, 1)}\n`,
);

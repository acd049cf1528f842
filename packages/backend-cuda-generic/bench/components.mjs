// What a pack is made of (Jenkins et al., Cluster 2012, Figure 6): node components.mjs OUT.json [PATTERN]
// [--simulated]. Traverse: the walk alone. Read-write: packed on the device. Transmit: the packed bytes copied to the
// host. One-shot: packed straight into host memory. For the kernel as it is, and as the paper has it.
import { conditions, packMove } from "@stowage/backend-api";
import { CudaGenericBackend, DEFAULT_TUNING, paperTuning } from "@stowage/backend-cuda-generic";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { DeviceState } from "../dist/devices.js";
import { payloadOf } from "../dist/payload.js";
import { GenericPlan } from "../dist/plan.js";
import { DeviceTables } from "../dist/tables.js";
import { cellsOf, heading, workloadOfSize, writeResults } from "@stowage/bench";
import { backendContender, CellInput, Gpu, memcpyContender, prepare } from "@stowage/bench/device";
import { NamedBackend } from "./named-backend.mjs";
import { timeInTurns } from "./turns.mjs";

const [out = "components.json", pattern = ""] = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const simulated = process.argv.includes("--simulated");
const gpu = new Gpu(simulated ? openSimulatedCuda() : openCuda());
const SIZES = ["64KiB", "1MiB", "16MiB"];
const CELLS = [
  ...["contiguous", "vector-8", "vector-128", "indexed-8", "indexed-random", "struct24"].flatMap((name) =>
    SIZES.map((size) => `${name}@${size}`),
  ),
  "subarray4d-8",
  "subarray4d-16",
  "subarray4d-32",
];
const head = heading("node packages/backend-cuda-generic/bench/components.mjs OUT", gpu.machine);
const rows = [];
gpu.warmUp();

/** A device whose kernels only walk. */
class TraversedDevice extends DeviceState {
  generic(variant) {
    return super.generic({ ...variant, traverses: true });
  }
}
const device = new TraversedDevice(gpu.context);

for (const asked of CELLS.filter((each) => each.includes(pattern))) {
  const { name, datatype, count } = workloadOfSize(asked);
  const [cell] = cellsOf(name, datatype, count);
  const input = new CellInput(gpu, cell);
  const tunings = { "cuda-generic": DEFAULT_TUNING, "cuda-generic/paper": paperTuning(name === "struct24" ? 1 : 8) };
  const entries = [
    ...Object.entries(tunings).flatMap(([contender, tuning]) => {
      const backend = new NamedBackend(contender, new CudaGenericBackend({ driver: gpu.driver, tuning }));
      const traverse = {
        name: `${contender}/traverse`,
        route: "device",
        prepare: () => prepareTraversal(input, cell, backend, tuning),
      };
      return [
        traverse,
        backendContender(gpu, input, backend, "device"),
        backendContender(gpu, input, backend, "one-shot"),
      ];
    }),
    memcpyContender(gpu, input, "one-shot"),
  ].map((contender) => ({ ...contender, prepared: contender.prepare(cell) }));
  const calls = entries.map(
    ({ prepared }) =>
      () =>
        prepared.run(),
  );
  const times = simulated
    ? calls.map((call) => (call(), { medianNs: 1, minNs: 1, maxNs: 1, runs: 1 }))
    : timeInTurns(calls, cell.packedBytes);
  entries.forEach(({ name: contender, route, prepared }, i) => {
    const eventNs = prepared.eventNs?.();
    prepared.verify();
    const { workload, packedBytes, direction } = cell;
    const row = {
      workload,
      count,
      packedBytes,
      direction,
      route,
      contender,
      ...times[i],
      verified: true,
      commitNs: prepared.commitNs,
      ...(eventNs === undefined ? {} : { eventNs }),
    };
    rows.push(row);
    console.log(
      `${workload.padEnd(16)} ${String(packedBytes).padStart(9)} ${route.padEnd(8)} ${contender.padEnd(28)} wall ${(row.medianNs / 1000).toFixed(1).padStart(8)} device ${((eventNs ?? NaN) / 1000).toFixed(1).padStart(8)} us`,
    );
  });
  for (const { prepared } of entries) prepared[Symbol.dispose]();
  input[Symbol.dispose]();
  if (!simulated) writeResults(out, head, rows);
}

/** The plan of a pack to the device by kernels that only walk; not a byte of its target may change. */
function prepareTraversal(input, cell, backend, tuning) {
  const CANARY = 0x5a;
  const kinds = conditions({ sourceKind: "device", targetKind: "device" });
  const moves = [packMove(input.layout)];
  const payload = payloadOf(backend.compile(moves, kinds));
  const memory = gpu.context.deviceMemory(cell.packedBytes);
  gpu.fill(memory, CANARY);
  const tables = new DeviceTables(device, payload.lookaside);
  const source = { memory: input.scattered, originBytes: cell.originBytes };
  const binding = { source, target: { memory, originBytes: 0 }, count: cell.count, first: 0, length: cell.packedBytes };
  const plan = new GenericPlan({ moves, conditions: kinds, payload, device, tuning, tables: () => tables }, [binding]);
  const check = (contender) => {
    for (let at = 0; at < cell.packedBytes; at += 2 ** 22) {
      if (gpu.read(memory, at, Math.min(2 ** 22, cell.packedBytes - at)).some((byte) => byte !== CANARY))
        throw new Error(`${contender}: expected to write nothing, got other bytes`);
    }
  };
  const output = { memory, check, [Symbol.dispose]: () => memory[Symbol.dispose]() };
  return prepare(gpu, {
    contender: "traverse",
    commitNs: 0,
    output,
    send: () => plan.run(gpu.stream),
    [Symbol.dispose]: () => plan[Symbol.dispose](),
  });
}

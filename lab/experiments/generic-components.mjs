import { CudaGenericBackend, DEFAULT_TUNING, paperTuning } from "@stowage/backend-cuda-generic";
import { conditions, packMove } from "@stowage/backend-api";
import { workloadOfSize } from "@stowage/bench";
import { backendContender, memcpyContender, prepare } from "@stowage/bench/device";
import { fileURLToPath } from "node:url";
import { bytesOn } from "../parts/device-bytes.mjs";
import { cellsOn, ofHarness, onGpu, present, SIMULATED, textByRoute } from "../parts/device.mjs";
import { moduleOf } from "../parts/old-build.mjs";

const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));
const CANARY = 0x5a;
const WORKLOADS = [
  ...["contiguous", "vector-8", "vector-128", "indexed-8", "indexed-random", "struct24"].flatMap((name) =>
    ["64KiB", "1MiB", "16MiB"].map((size) => `${name}@${size}`),
  ),
  "subarray4d-8",
  "subarray4d-16",
  "subarray4d-32",
];

/** Makes a kernel of an artifact whose threads find their addresses and move nothing: no user asks for such a one. */
async function traversals() {
  const names = ["kernel", "device-state", "payload"];
  const own = await Promise.all(names.map((name) => moduleOf(PACKAGES, "backend-cuda-generic", name)));
  const [{ genericKernel }, { DeviceState }, { payloadOf }] = own;
  class Traversing extends DeviceState {
    generic(variant) {
      return super.generic({ ...variant, traverses: true });
    }
  }
  return (context) => {
    const state = new Traversing(context);
    const parts = { devices: { contextFor: () => context }, stateOn: () => state };
    return (artifact, tuning) => genericKernel(artifact, payloadOf(artifact), { ...parts, tuning });
  };
}

/** A pack to the device by kernels that only walk: not a byte of its target may change. */
function traversal({ gpu, cell, input, traverse }, backend, tuning) {
  const kinds = conditions({ sourceKind: "device", targetKind: "device" });
  const kernel = traverse(backend.compile([packMove(input.layout)], kinds), tuning);
  const memory = gpu.context.deviceMemory(cell.packedBytes);
  gpu.fill(memory, CANARY);
  const source = { memory: input.scattered, originBytes: cell.originBytes };
  const target = { memory, originBytes: 0 };
  const plan = kernel.bind([{ source, target, count: cell.count, first: 0, length: cell.packedBytes }]);
  const check = (contender) => {
    if (bytesOn(gpu, memory).some((byte) => byte !== CANARY))
      throw new Error(`${contender}: expected to write nothing, got other bytes`);
  };
  return prepare(gpu, {
    contender: "traverse",
    output: { memory, check, [Symbol.dispose]: () => memory[Symbol.dispose]() },
    send: () => plan.run(gpu.stream),
    [Symbol.dispose]: () => [plan, kernel].forEach((held) => held[Symbol.dispose]()),
  });
}

/**
 * Traverse: the walk alone. Packed on the device: reads and writes too. Packed to the host: one-shot; memcpy is what
 * transmits there. Of the kernel as it is, and as the paper has it.
 */
export default {
  name: "generic-components",
  question: "What is a pack made of: finding addresses, moving, transmitting? (Cluster 2012, figure 6)",
  kind: "moves",
  options: {
    ...SIMULATED,
    workloads: { kind: "texts", says: "names, with sizes where they have one", byDefault: WORKLOADS },
    pattern: { kind: "text", says: "those whose name has this in it", byDefault: "" },
  },
  trial: { simulated: true, workloads: ["vector-8@1KiB", "struct24@1KiB"] },
  sampling: () => ({ budgetMs: 60, sampleUs: 0 }),
  async *cells(given, lab) {
    const { workloads, pattern = "" } = given;
    const traverseOn = await traversals();
    yield* onGpu(given, lab, function* (gpu) {
      const traverse = traverseOn(gpu.context);
      for (const asked of workloads.filter((each) => each.includes(pattern))) {
        const { name, datatype, count } = workloadOfSize(asked);
        for (const cell of cellsOn(gpu, name, datatype, { count }))
          for (const route of ["device", "one-shot"])
            yield { ...cell, label: { ...cell.label, route }, route, traverse };
      }
    });
  },
  contenders(cell) {
    const { gpu, input, route } = cell;
    const tunings = { "": DEFAULT_TUNING, "/paper": paperTuning(cell.label.workload === "struct24" ? 1 : 8) };
    const all = Object.entries(tunings).flatMap(([label, tuning]) => {
      const backend = new CudaGenericBackend({ driver: gpu.driver, tuning, name: `cuda-generic${label}` });
      const walk = { name: `${backend.name}/traverse`, route, prepare: () => traversal(cell, backend, tuning) };
      return [...(route === "device" ? [walk] : []), backendContender(gpu, input, backend, route)];
    });
    if (route === "one-shot") all.push(memcpyContender(gpu, input, route));
    return present(Object.fromEntries(all.map((each) => [each.name, ofHarness(each, cell.cell, { isWhole: true })])));
  },
  text: textByRoute,
};

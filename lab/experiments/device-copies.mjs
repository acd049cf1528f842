import { conditions, copyMove, packMove, unpackMove } from "@stowage/backend-api";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { cellsOf, forEachBlock, requireSameBytes } from "@stowage/bench";
import { Gpu } from "@stowage/bench/device";
import { copyBytes } from "@stowage/cuda-driver";
import { canonicalise, lower } from "@stowage/ir";
import { BLOCKS, vectorOf } from "../parts/cuda-rows.mjs";
import { backendsOn, driverOf, onGpu, SIMULATED } from "../parts/device.mjs";
import { bytesOn } from "../parts/device-bytes.mjs";

const CANARY = 0xa5;
const span = (memory) => ({ memory, originBytes: 0 });

export default {
  name: "device-copies",
  question: "How near does a copy from layout to layout come to a plain one, on a GPU and to the one beside it?",
  kind: "moves",
  options: { ...SIMULATED, peers: { kind: "flag", says: "to another GPU" } },
  trial: { simulated: true, peers: true },
  sampling: () => ({ budgetMs: 60 }),
  *cells(given, lab) {
    const driver = driverOf(given, { devices: 2 });
    const size = given.simulated ? 2 ** 16 : 2 ** 26;
    const where = given.peers ? "peer" : "device";
    yield* onGpu(given, lab, on, driver);
    function* on(own) {
      const other = given.peers ? new Gpu(driver, 1) : own;
      if (given.peers) own.context.enablePeer(other.context);
      for (const block of BLOCKS) {
        // Every other block there, every third here; whole blocks on both sides.
        const [from] = cellsOf(`${where}-vector-${block}`, vectorOf(block, 2 * block, size), 1);
        const [, into] = cellsOf(from.workload, vectorOf(block, 3 * block, size), 1);
        const source = own.context.deviceMemory(from.pattern.sizeBytes);
        own.write(source, from.scattered);
        const label = { workload: from.workload, packedBytes: size, direction: "copy" };
        yield { label, own, other, from, into, source };
        source[Symbol.dispose]();
      }
      if (other !== own) other[Symbol.dispose]();
    }
  },
  contenders({ own, other, from, into, source }, { peers }) {
    const target = other.context.deviceMemory(into.pattern.sizeBytes);
    const [there, here] = [from, into].map(({ datatype }) => canonicalise(lower(datatype)));
    const length = there.sizeBytes;
    const kinds = conditions({ sourceKind: "device", targetKind: "device" });
    const bound = (backend, move, one, another) => {
      const binding = { source: span(one), target: span(another), count: 1, first: 0, length };
      return backend.load(backend.compile([move], kinds)).bind([binding]);
    };
    const expected = expectedOf(from, into);
    const entrant = (route, run) => ({
      run,
      facts: { route },
      check() {
        other.fill(target, CANARY);
        run();
        requireSameBytes(into, route, expected, bytesOn(other, target));
      },
    });
    const move = copyMove(there, here);
    const backends = backendsOn(own);
    const named = ["cuda-strided", "cuda-generic", "dma"].map((name) => [name, backends.get(name), own.stream]);
    // Between GPUs also by a kernel of the target's device, which pulls.
    const puller = new CudaStridedBackend(() => own.driver, { runsOn: "target" });
    if (peers) named.push(["cuda-strided, pulling", puller, other.stream]);
    const direct = named
      .filter(([, backend]) => backend.supports([move], kinds).ok)
      .map(([name, backend, queue]) => {
        const plan = bound(backend, move, source, target);
        return [name, entrant(name === "dma" ? "dma" : "device", () => plan.run(queue).wait())];
      });
    const plain = copyBytes(own.context, target.address, source.address, length);
    const memcpy = {
      run: () => (plain.run(own.stream), own.stream.synchronize()),
      facts: { route: "dma" },
      [Symbol.dispose]: () => target[Symbol.dispose](),
    };
    return { ...Object.fromEntries(direct), ...(peers ? packedThenPulled() : {}), memcpy };

    /** Two kernels: packed here, in a buffer, and unpacked from it by the other device, which reads whole lines. */
    function packedThenPulled() {
      const staging = own.context.deviceMemory(length);
      const packed = own.context.event();
      const pack = bound(backends.get("cuda-strided"), packMove(there), source, staging);
      const unpack = bound(puller, unpackMove(here), staging, target);
      const run = () => {
        pack.run(own.stream);
        packed.record(own.stream);
        packed.holdUp(other.stream);
        unpack.run(other.stream).wait();
      };
      const dispose = () => staging[Symbol.dispose]();
      return { "cuda-strided, packed then pulled": { ...entrant("device", run), [Symbol.dispose]: dispose } };
    }
  },
};

/** What the target holds after the copy: canaries, and the source's packed bytes in its own places. */
function expectedOf(from, into) {
  const expected = new Uint8Array(into.pattern.sizeBytes).fill(CANARY);
  let at = 0;
  forEachBlock(lower(into.datatype), 1, (offset, length) => {
    expected.set(from.packed.subarray(at, at + length), into.originBytes + offset);
    at += length;
  });
  return expected;
}

import { copyBytes } from "@stowage/cuda-driver";
import { createEngine } from "@stowage/selector";
import { blocksInTurns } from "../parts/blocks-in-turns.mjs";
import { ERASED, fillWithNoise, must, openPeers, PEERS, requireNoneWrong } from "../parts/cuda-peers.mjs";
import { bytesOn } from "../parts/device-bytes.mjs";
import { onGpu, SIMULATED } from "../parts/device.mjs";
import { bytesOf, ELEMENTS, orderedOf, shapesFor, typeOf } from "../parts/mdspan-shapes.mjs";
import { PythonPeers } from "../parts/python-peers.mjs";

/** Else an engine begins with what compiles soonest, and goes on with its choice once so many calls have repaid it. */
const REUSE = 1e6;
const LONG_BYTES = 2 ** 30;

const signed = (...lists) => lists.map((each) => BigInt64Array.from(each, BigInt));

/** Compares on the device, by a kernel that knows no contender. */
function verifyThere({ gpu, peers, source, target, targetBytes }, who, { lengths, first, element, ...sides }) {
  const [bytes] = ELEMENTS[element];
  const lists = signed(lengths, sides.source, sides.target);
  const [from, to] = [source.address + first * bytes, target.address + first * bytes];
  requireNoneWrong(gpu, peers, who, target, targetBytes, (counter) =>
    must(peers.strided(from, to, lengths.length, ...lists, bytes, counter, gpu.stream.handle), "compare"),
  );
}

/** Compares in this process. */
function verifyHere({ gpu, source, target, targetBytes }, who, { lengths, first, element, ...sides }) {
  const [bytes] = ELEMENTS[element];
  const [read, written] = [bytesOn(gpu, source), bytesOn(gpu, target, targetBytes)];
  const expected = new Uint8Array(targetBytes).fill(ERASED);
  const elements = lengths.reduce((product, each) => product * each, 1);
  for (let i = 0; i < elements; i++) {
    let [rest, from, to] = [i, first, first];
    for (let d = lengths.length - 1; d >= 0; d--) {
      const at = rest % lengths[d];
      rest = (rest - at) / lengths[d];
      [from, to] = [from + at * sides.source[d], to + at * sides.target[d]];
    }
    expected.set(read.subarray(from * bytes, (from + 1) * bytes), to * bytes);
  }
  if (Buffer.compare(expected, written) !== 0) throw new Error(`${who}: expected the source's elements, got others`);
}

/** A call with its wait, whose elements are those of `shape`. */
function entrant(cell, name, run, held = [], shape = cell.shape) {
  const { gpu, peers, target, label } = cell;
  const verify = peers === undefined ? verifyHere : verifyThere;
  return {
    run,
    check() {
      gpu.fill(target, ERASED);
      run();
      gpu.stream.synchronize();
      verify(cell, `${name} of ${label.workload}`, shape);
    },
    [Symbol.dispose]: () => held.forEach((each) => each[Symbol.dispose]()),
  };
}

/** What an engine chooses, and cuda-generic where that is another. */
function ours(cell) {
  const { gpu, shape, source, target } = cell;
  const [bytes, type] = ELEMENTS[shape.element];
  // A copy of mdspans has no order of its own: datatypes list the dimensions in that of the target's strides.
  const { dimensions, begins } = orderedOf(shape);
  const [from, to] = ["source", "target"].map((side) => typeOf(dimensions, side, bytes, type));
  const slice = (memory, begin) => ({
    ...{ kind: "device", device: memory.device, address: memory.address + begin * bytes },
    sizeBytes: memory.sizeBytes - begin * bytes,
  });
  const [read, written] = [slice(source, begins.source), slice(target, begins.target)];
  const alignment = ({ address }) => (address % 16 || 16) & -(address % 16 || 16);
  const known = {
    ...{ fromMemory: "device", toMemory: "device", count: 1, reuse: REUSE },
    ...{ fromAlignment: alignment(read), toAlignment: alignment(written) },
  };
  const byEngine = (options) => {
    const engine = createEngine({ cuda: () => gpu.driver });
    const committed = engine.commitCopy(from, to, { ...known, ...options });
    const plan = committed.plan(read, written);
    const { name } = committed.choice.chosen;
    return { name, entrant: entrant(cell, name, () => plan.run(gpu.stream).wait(), [plan, engine]) };
  };
  const chosen = byEngine({});
  const generic =
    chosen.name === "cuda-generic" ? {} : { "cuda-generic": byEngine({ backend: "cuda-generic" }).entrant };
  return { [`chosen: ${chosen.name}`]: chosen.entrant, ...generic };
}

function inCccl(cell) {
  const { gpu, peers, shape, source, target } = cell;
  const mdspan = peers?.mdspan(shape.element, shape.index, shape.lengths.length);
  if (mdspan === undefined) return {};
  const [bytes] = ELEMENTS[shape.element];
  const lists = signed(shape.lengths, shape.source, shape.target);
  const [at, into] = [source.address + shape.first * bytes, target.address + shape.first * bytes];
  const run = () => {
    must(mdspan(at, into, ...lists, gpu.stream.handle), "copy of mdspans");
    gpu.stream.synchronize();
  };
  return { "CCCL copy of mdspans": entrant(cell, "CCCL", run) };
}

/** As many bytes side by side. */
function plainCopy(cell) {
  const { gpu, shape, source, target, label } = cell;
  const plain = copyBytes(gpu.context, target.address, source.address, label.packedBytes);
  const elements = label.packedBytes / ELEMENTS[shape.element][0];
  const row = { element: shape.element, lengths: [elements], source: [1], target: [1], first: 0 };
  return { copy: entrant(cell, "copy", () => (plain.run(gpu.stream), gpu.stream.synchronize()), [], row) };
}

/** torch has no negative strides: where both sides have the same ones, they count upwards instead. */
function inPython({ python, shape }) {
  const { dimensions, begins } = orderedOf(shape);
  if (python === undefined || dimensions.some(({ source }) => source < 0)) return {};
  dimensions.reverse();
  const side = (name) => ({
    ...{ bytes: bytesOf(shape, name), first: begins[name] },
    strides: dimensions.map((each) => each[name]),
  });
  const lengths = dimensions.map(({ length }) => length);
  const [elementBytes] = ELEMENTS[shape.element];
  return python.takeStrided({ elementBytes, lengths, source: side("source"), target: side("target") });
}

export default {
  name: "mdspans",
  question: "How fast are copies from strided layouts to others, in the shapes of CCCL's own benchmark of mdspans?",
  kind: "moves",
  options: { ...SIMULATED, ...PEERS, only: { kind: "text", says: "shapes whose name fits this", byDefault: "" } },
  trial: { simulated: true, only: "not-aligned|transpose_3D$|negative" },
  *cells(given, lab) {
    const shapes = shapesFor(given);
    const most = (side) => Math.max(...shapes.map((shape) => bytesOf(shape, side)));
    yield* onGpu(given, lab, function* (gpu) {
      const peers = given.peers === undefined ? undefined : openPeers(given.peers, lab);
      const python = given.python === undefined ? undefined : new PythonPeers(given.python, lab);
      const [source, target] = ["source", "target"].map((side) => gpu.context.deviceMemory(most(side)));
      fillWithNoise(gpu, peers, source);
      try {
        for (const shape of shapes) {
          const packedBytes = shape.lengths.reduce((product, each) => product * each, ELEMENTS[shape.element][0]);
          const label = { workload: `mdspan/${shape.name}`, packedBytes, direction: "copy", route: "device" };
          yield { label, gpu, peers, python, shape, source, target, targetBytes: bytesOf(shape, "target") };
        }
      } finally {
        for (const held of [source, target]) held[Symbol.dispose]();
        python?.[Symbol.dispose]();
      }
    });
  },
  contenders: (cell) => ({ ...ours(cell), ...inCccl(cell), ...plainCopy(cell), ...inPython(cell) }),
  run: (entrants, { label }, _, lab) =>
    blocksInTurns(entrants, lab.trial ? { turns: 1 } : { turns: label.packedBytes >= LONG_BYTES ? 3 : 12 }),
};

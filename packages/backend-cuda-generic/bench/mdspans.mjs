// Copies from one strided layout to another, in the shapes of CCCL's own benchmark of cuda::copy(mdspan, mdspan)
// (cudax/benchmarks/bench/copy/copy_bench.cu of CCCL 3.6): node mdspans.mjs OUT.json [--peers=pages-peers.so, which
// build-pages-peers.sh makes] [--python=python3] [--only=PATTERN] [--simulated]. Each contender's bytes are compared,
// and all others', before it is timed; wall time of one call with its wait, contenders taking turns. Datatypes list the
// dimensions in the order of the target's strides, since a copy of mdspans has no order of its own.
import { copyBytes, openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { hvector, predefined } from "@stowage/ir";
import { createEngine } from "@stowage/selector";
import { must, openPeers } from "./peers-library.mjs";
import { PythonPeers } from "./python-peers.mjs";
import { ResultRows } from "./result-rows.mjs";
import { inTurns, timed } from "./turns.mjs";

const [out = "mdspans.json"] = process.argv.slice(2);
const option = (name) => process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const simulated = process.argv.includes("--simulated");
const driver = simulated ? openSimulatedCuda() : openCuda();
const context = driver.context();
const stream = context.stream();
const peer = option("peers") === undefined ? undefined : openPeers(option("peers"));
const only = new RegExp(option("only") ?? "");

const ELEMENTS = { char: [1, "MPI_CHAR"], short: [2, "MPI_SHORT"], int: [4, "MPI_INT"], double: [8, "MPI_DOUBLE"] };
const REUSE = 1e6;
const powers = (exponents) => exponents.map((each) => 2 ** each);
const DENSE = [25, 70, 90, 80, 80];
const DENSE_STRIDES = [40320000, 576000, 6400, 80, 1];
const BINARY = powers([15, 16, 17, 18, 19, 20, 21, 22, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);

/**
 * Name, element, index and lengths; strides in elements of the source and, where they differ, of the target; the first
 * element.
 */
const SHAPES = [
  ["contiguous", "int", "int", DENSE, DENSE_STRIDES],
  ["contiguous-perm", "int", "int", [25, 80, 70, 80, 90], [40320000, 1, 576000, 80, 6400]],
  [
    ...["contiguous-1-sized", "int", "int"],
    [1, 25, 1, 80, 1, 70, 1, 80, 1, 90],
    [1, 40320000, 1, 1, 1, 576000, 1, 80, 1, 6400],
  ],
  ["contiguous-not-aligned", "int", "int", DENSE, DENSE_STRIDES, undefined, 1],
  ["contiguous-small", "char", "int64_t", [100, 70, 90, 80, 80], DENSE_STRIDES],
  ["contiguous-small-not-aligned", "char", "int64_t", [100, 70, 90, 80, 80], DENSE_STRIDES, undefined, 1],
  ["contiguous-negative-stride", "int", "int", DENSE, [40320000, 576000, 6400, 80, -1], undefined, 80],
  ["vectorization", "char", "int64_t", [134217600, 32], [128, 1], undefined, 32],
  ["block-contiguous", "int", "int", [32767, 32768], [131072, 1]],
  ["several_dimensions", "int", "int", [64, 64, 64, 64, 64], [17043521, 266305, 4161, 65, 1]],
  ["several_dimensions_non_square", "int", "int", [63, 65, 67, 69, 57], [17433131, 268202, 4003, 58, 1]],
  [
    ...["flatten_common", "char", "int", new Array(23).fill(2)],
    ...[
      [...BINARY, 4, 1, 2],
      [...BINARY, 2, 4, 1],
    ],
  ],
  ["transpose_2D_col_row", "int", "int", [32768, 32768], [1, 32768], [32768, 1]],
  ["transpose_2D_row_col", "int", "int", [32768, 32768], [32768, 1], [1, 32768]],
  ["transpose_2D_char", "char", "int64_t", [65536, 65536], [1, 65536], [65536, 1]],
  ["transpose_2D_short", "short", "int", [32760, 65536], [1, 32760], [65536, 1]],
  ["transpose_2D_double", "double", "int64_t", [32768, 16384], [1, 32768], [16384, 1]],
  ["transpose_2D_odd_both", "int", "int", [32767, 32769], [1, 32767], [32769, 1]],
  ["transpose_3D", "int", "int", [1024, 1024, 1024], [1, 1024, 1048576], [1048576, 1024, 1]],
  ["transpose_3D_odd_edges", "int", "int", [1023, 1025, 1024], [1, 1023, 1048575], [1049600, 1024, 1]],
  ["transpose_src_small_15", "int", "int", [15, 2236962, 32], [1, 480, 15], [71582784, 32, 1]],
  ["transpose_src_small_16", "int", "int", [16, 2097152, 32], [1, 512, 16], [67108864, 32, 1]],
  ["transpose_src_small_17", "int", "int", [17, 1973790, 32], [1, 544, 17], [63161280, 32, 1]],
  ["transpose_dst_small_8_padded", "int", "int64_t", [32, 4194304, 8], [1, 256, 32], [67108864, 16, 1]],
  ["transpose_dst_small_16_padded", "int", "int64_t", [32, 2097152, 16], [1, 512, 32], [67108864, 32, 1]],
  ["transpose_src_small_16_4D", "int", "int", [16, 1024, 2048, 32], [1, 512, 524288, 16], [67108864, 32, 32768, 1]],
].filter(([name]) => only.test(name));

/** On the simulated device, the same shapes with short dimensions: strides stay, in the order that they have. */
function shortened([name, element, index, lengths, source, target = source, first = 0]) {
  if (!simulated) return { name, element, index, lengths, source, target, first };
  const kept = lengths.map((each) => Math.min(each, lengths.length > 10 ? (each > 1 ? 2 : 1) : 5));
  const packed = (strides) => {
    const order = strides
      .map((stride, d) => ({ size: Math.abs(stride), d }))
      .sort((a, b) => a.size - b.size || kept[a.d] - kept[b.d]);
    const result = new Array(strides.length);
    let step = 1;
    for (const { d } of order) {
      result[d] = Math.sign(strides[d]) * step;
      step *= kept[d];
    }
    return result;
  };
  return { name, element, index, lengths: kept, source: packed(source), target: packed(target), first };
}

/** The elements that a side spans, before and behind its first. */
const spanOf = (lengths, strides) =>
  lengths.reduce(
    ([low, high], length, d) => {
      const reach = (length - 1) * strides[d];
      return reach < 0 ? [low + reach, high] : [low, high + reach];
    },
    [0, 0],
  );

/** Dimensions in the order of the target's strides, which all count upwards then; where either side begins. */
function orderedOf({ lengths, source, target, first }) {
  const begins = { source: first, target: first };
  const dimensions = lengths
    .map((length, d) => ({ length, source: source[d], target: target[d] }))
    .filter(({ length }) => length > 1)
    .map((each) => {
      if (each.target >= 0) return each;
      for (const side of ["source", "target"]) begins[side] += (each.length - 1) * each[side];
      return { length: each.length, source: -each.source, target: -each.target };
    })
    .sort((a, b) => a.target - b.target);
  return { dimensions, begins };
}
const typeOf = (dimensions, side, bytes, name) =>
  dimensions.reduce((child, each) => hvector(each.length, 1, each[side] * bytes, child), predefined(name));

const cells = SHAPES.map(shortened);
const bytesOf = ({ element, lengths, first, ...sides }, side) =>
  Math.ceil(((first + spanOf(lengths, sides[side])[1] + 1) * ELEMENTS[element][0]) / 256) * 256;
const mostBytes = (side) => Math.max(...cells.map((cell) => bytesOf(cell, side)));
const [source, target] = ["source", "target"].map((side) => context.deviceMemory(mostBytes(side)));
const python = option("python") === undefined ? undefined : new PythonPeers(option("python"));
const wrongBytes = context.deviceMemory(16);
const rows = new ResultRows(out, driver, context);
const ERASED = 0xee;
if (peer !== undefined) must(peer.noise(source.address, source.sizeBytes, stream.handle), "noise");
stream.synchronize();

function fetched(address, length) {
  const bytes = new Uint8Array(length);
  copyBytes(context, context.libcuda.addressOf(bytes), address, length).run(stream);
  stream.synchronize();
  return bytes;
}

/** On the device, by a kernel that knows no contender; where there is none, here. */
function verify(name, { lengths, first, element, ...cell }, targetBytes) {
  const [bytes] = ELEMENTS[element];
  if (peer === undefined) {
    const [read, written] = [fetched(source.address, source.sizeBytes), fetched(target.address, targetBytes)];
    const expected = new Uint8Array(targetBytes).fill(ERASED);
    const elements = lengths.reduce((product, each) => product * each, 1);
    for (let i = 0; i < elements; i++) {
      let [rest, from, to] = [i, first, first];
      for (let d = lengths.length - 1; d >= 0; d--) {
        const at = rest % lengths[d];
        rest = (rest - at) / lengths[d];
        [from, to] = [from + at * cell.source[d], to + at * cell.target[d]];
      }
      expected.set(read.subarray(from * bytes, (from + 1) * bytes), to * bytes);
    }
    if (Buffer.compare(expected, written) !== 0) throw new Error(`${name} of ${cell.name}: wrong bytes`);
    return;
  }
  wrongBytes.fill(0, stream);
  const lists = [lengths, cell.source, cell.target].map((each) => BigInt64Array.from(each, BigInt));
  const [from, to] = [source.address + first * bytes, target.address + first * bytes];
  must(peer.strided(from, to, lengths.length, ...lists, bytes, wrongBytes.address, stream.handle), "compare");
  must(peer.others(target.address, targetBytes, wrongBytes.address, stream.handle), "compare");
  const [wrong] = new BigUint64Array(fetched(wrongBytes.address, 8).buffer);
  if (wrong !== 0n) throw new Error(`${name} of ${cell.name}: ${wrong} wrong bytes`);
}

/** Contenders that live in this process, each a call with its wait. */
function contendersOf(cell, held) {
  const { lengths, first, element, index } = cell;
  const [bytes, type] = ELEMENTS[element];
  const { dimensions, begins } = orderedOf(cell);
  const [from, to] = ["source", "target"].map((side) => typeOf(dimensions, side, bytes, type));
  const slice = (memory, begin) => ({
    ...{ kind: "device", device: memory.device, address: memory.address + begin * bytes },
    sizeBytes: memory.sizeBytes - begin * bytes,
  });
  const [read, written] = [slice(source, begins.source), slice(target, begins.target)];
  const alignment = (buffer) => buffer.address % 16 || 16;
  const known = {
    ...{ fromMemory: "device", toMemory: "device", count: 1 },
    fromAlignment: alignment(read) & -alignment(read),
    toAlignment: alignment(written) & -alignment(written),
  };
  const contenders = {};
  const ours = (name, options) => {
    const engine = createEngine({ cuda: () => driver });
    held.push(engine);
    const committed = engine.commitCopy(from, to, { ...known, ...options });
    const plan = committed.plan(read, written);
    contenders[name(committed.choice.chosen.name)] = () => plan.run(stream).wait();
    return committed.choice.chosen.name;
  };
  // Else an engine begins with what compiles soonest, and goes on with its choice once so many calls have repaid it.
  if (ours((chosen) => `chosen: ${chosen}`, { reuse: REUSE }) !== "cuda-generic")
    ours(() => "cuda-generic", { backend: "cuda-generic", reuse: REUSE });
  const mdspan = peer?.mdspan(element, index, lengths.length);
  if (mdspan !== undefined) {
    const lists = [lengths, cell.source, cell.target].map((each) => BigInt64Array.from(each, BigInt));
    const [at, into] = [source.address + first * bytes, target.address + first * bytes];
    contenders["CCCL copy of mdspans"] = () => {
      must(mdspan(at, into, ...lists, stream.handle), "copy of mdspans");
      stream.synchronize();
    };
  }
  return contenders;
}

/** torch has no negative strides: where both sides have the same ones, they count upwards instead. */
function forPython(cell) {
  const { dimensions, begins } = orderedOf(cell);
  if (dimensions.some((each) => each.source < 0)) return undefined;
  dimensions.reverse();
  const [elementBytes] = ELEMENTS[cell.element];
  const side = (name) => ({
    ...{ bytes: bytesOf(cell, name), first: begins[name] },
    strides: dimensions.map((each) => each[name]),
  });
  const lengths = dimensions.map(({ length }) => length);
  return { elementBytes, lengths, source: side("source"), target: side("target") };
}

for (const cell of cells) {
  const held = [];
  const packedBytes = cell.lengths.reduce((product, each) => product * each, ELEMENTS[cell.element][0]);
  const targetBytes = bytesOf(cell, "target");
  const contenders = contendersOf(cell, held);
  for (const [name, call] of Object.entries(contenders)) {
    target.fill(ERASED, stream);
    stream.synchronize();
    call();
    stream.synchronize();
    verify(name, cell, targetBytes);
  }
  const plain = copyBytes(context, target.address, source.address, packedBytes);
  const calls = { ...contenders, copy: () => (plain.run(stream), stream.synchronize()) };
  const strided = forPython(cell);
  const inPython = python === undefined || strided === undefined ? [] : python.takeStrided(strided);
  const blocks = {
    ...Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, timed(call)])),
    ...Object.fromEntries(inPython.map((name) => [name, (repeats) => python.time(name, repeats)])),
  };
  const turns = simulated ? 1 : packedBytes >= 2 ** 30 ? 3 : 12;
  rows.note(`mdspan/${cell.name}`, 1, packedBytes, "device", inTurns(blocks, turns));
  for (const each of held.reverse()) each[Symbol.dispose]();
}
python?.[Symbol.dispose]();

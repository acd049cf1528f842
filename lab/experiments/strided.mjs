import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { copyRouteContender } from "@stowage/bench/device";
import { copy2D } from "@stowage/cuda-driver";
import { readFileSync } from "node:fs";
import {
  another,
  backendOn,
  cellsOn,
  DIRECTIONS,
  fetching,
  memcpyOn,
  ofHarness,
  onGpu,
  packerOn,
  present,
  SIMULATED,
} from "../parts/device.mjs";
import { launchOf, programFor, shapeOf, transferOf } from "../parts/strided-kernels.mjs";
import * as layouts from "../parts/strided-layouts.mjs";

const { VECTORS, DENSE_PITCH, FACES, APPLICATIONS, EQUIVALENT, EQUIVALENT_TWICE, RAGGED, TRANSPOSES } = layouts;

/** What is measured of which layouts, and how many bytes of them L2 fetches at a time where that is another. */
const PARTS = {
  transposes: { entries: TRANSPOSES },
  plain: { entries: [...VECTORS, DENSE_PITCH, ...FACES, ...APPLICATIONS, ...EQUIVALENT, ...EQUIVALENT_TWICE] },
  ragged: { entries: RAGGED, directions: DIRECTIONS },
  budgets: { entries: [VECTORS[3]] },
  "one-shot": { entries: [VECTORS[3]] },
  specialised: { entries: [VECTORS[2], FACES[1], APPLICATIONS[0], ...RAGGED.slice(2, 4)], directions: ["pack"] },
  events: { entries: [VECTORS[0], VECTORS[2], FACES[2]], directions: ["pack"] },
  "L2 of 32 B": { entries: [DENSE_PITCH, VECTORS[0], VECTORS[2], FACES[2]], fetched: 32 },
};

/** A launch that packs a cell by a kernel from the file of those by hand. */
function byHand(cell, module, name, shape, words) {
  return packerOn(cell, "device", { route: "device" }, (packed) => {
    const launch = module.kernel(name).launch(8 * (2 + words.length), shape);
    [packed.address, cell.input.scattered.address, ...words].forEach((value, i) => launch.setWord(i * 8, value));
    return (stream) => launch.run(stream);
  });
}

/** A word of 4 bytes a thread, and division by the row's words; a plain matrix by tiles of 32 x 32. */
function handOf(cell, module, { blockBytes, pitchBytes, square }) {
  if (module === undefined || cell.label.direction === "unpack") return undefined;
  if (blockBytes !== undefined) {
    const words = cell.cell.packedBytes / 4;
    const shape = { grid: { x: Math.ceil(words / 256) }, block: { x: 256 } };
    return byHand(cell, module, "pack_words", shape, [words, blockBytes / 4, pitchBytes / 4]);
  }
  if (square === undefined) return undefined;
  const { wordBytes, across, along } = square;
  const shape = { grid: { x: Math.ceil(along / 32), y: Math.ceil(across / 32) }, block: { x: 32, y: 8 } };
  return byHand(cell, module, `transpose_${wordBytes}`, shape, [along * 2 ** 32 + across]);
}

/** Our kernel for rows in packed order, which is what transposes got before shared memory. */
function direct(cell, { target, source, output }) {
  const { gpu, cell: own, input } = cell;
  const [scattered, packed] = own.direction === "pack" ? [source, target] : [target, source];
  const transfer = transferOf(input.layout, scattered.memory.address + own.originBytes, packed.memory.address);
  const { along, ...rest } = shapeOf(transfer, own.direction, gpu.context.device);
  if (along === undefined) return undefined;
  const vectorsPerThread = rest.wordBytes < 4 || rest.streams ? 1 : 4;
  const shape = { ...rest, vectorBytes: Math.max(4, rest.wordBytes), vectorsPerThread };
  const program = programFor([shape], 1);
  const launch = launchOf(gpu.context.kernel(program.kernel), program, transfer, shape, 256);
  return another({ output, facts: { route: "device" } }, () => (launch.run(gpu.stream), gpu.stream.synchronize()));
}

/** One 2D copy a column: all that the copy engines can do for a transpose. */
const columnCopies = (cell) =>
  packerOn(cell, "device", { route: "dma" }, ({ address }) => {
    const { rowBytes, dimensions } = transferOf(cell.input.layout, 0, 0).geometry;
    const [across, along] = dimensions;
    const copies = Array.from({ length: along.count }, (_, i) => {
      const to = { address: address + i * across.count * rowBytes, host: false, pitchBytes: rowBytes };
      const at = cell.input.scattered.address + cell.cell.originBytes + i * along.strideBytes;
      const from = { address: at, host: false, pitchBytes: across.strideBytes };
      return copy2D(cell.gpu.context, to, from, { widthBytes: rowBytes, rows: across.count });
    });
    return (stream) => copies.forEach((copy) => copy.run(stream));
  });

function contendersOf(cell, hand) {
  const { gpu, part, entry, strided, specialised } = cell;
  const own = (given) => backendOn(cell, strided, given);
  const withBudgets = (budgets, packed) =>
    budgets.map((smBudget) => [
      `cuda-strided, ${smBudget ?? "all"} SMs`,
      own({ packed, ...(smBudget && { smBudget }) }),
    ]);
  switch (part) {
    case "budgets":
      return [...withBudgets([1, 4, 8, 16], "device"), ["memcpy", memcpyOn(cell, "device")]];
    case "one-shot":
      return withBudgets([1, 4, 8, undefined], "pinned");
    case "specialised":
      return [["cuda-strided", own()], ["cuda-strided, specialised", backendOn(cell, specialised)]]; // prettier-ignore
    case "events": {
      const plain = own();
      const event = gpu.context.event();
      const recorded = () => (plain.send(), event.record(gpu.stream), gpu.stream.synchronize());
      return [["cuda-strided", plain], ["cuda-strided + event", another(plain, recorded)]]; // prettier-ignore
    }
    default: {
      const plain = own();
      const [call] = copyRouteContender(gpu, cell.input, cell.cell, "device");
      const isTranspose = part === "transposes";
      return [
        [part === "L2 of 32 B" ? "cuda-strided, L2 32 B" : "cuda-strided", plain],
        ["memcpy", memcpyOn(cell, "device")],
        ["cuda-by-hand", handOf(cell, hand, entry)],
        ["cuda-strided, direct", isTranspose ? direct(cell, { ...plain.binding, output: plain.output }) : undefined],
        [call?.name, part === "ragged" && call !== undefined ? ofHarness(call, cell.cell) : undefined],
        [
          "cuMemcpy2DAsync a column",
          entry.name === "FFT2/1" && cell.label.direction === "pack" ? columnCopies(cell) : undefined,
        ],
      ];
    }
  }
}

export default {
  name: "strided",
  question:
    "How near do kernels for strided objects come to a plain copy, beside kernels by hand and the driver's copies?",
  kind: "moves",
  options: {
    ...SIMULATED,
    hand: { kind: "text", says: "kernels by hand, lab/c/strided-hand.cu by nvcc -ptx" },
    part: { kind: "texts", of: Object.keys(PARTS), says: "some of its parts" },
  },
  trial: { simulated: true, part: ["ragged", "specialised"] },
  sampling: () => ({ budgetMs: 60 }),
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      const strided = new CudaStridedBackend(() => gpu.driver);
      const specialised = new CudaStridedBackend(() => gpu.driver, { specialise: true });
      for (const part of given.part ?? Object.keys(PARTS)) {
        const { entries, directions = DIRECTIONS, fetched } = PARTS[part];
        // A simulated device takes the shortest of each part.
        for (const entry of given.simulated ? entries.slice(-1).map(shortened) : entries) {
          const { name, datatype, count } = entry;
          for (const cell of fetching(gpu, fetched, cellsOn(gpu, name, datatype, { count, directions })))
            yield { ...cell, part, entry, strided, specialised };
        }
      }
    });
  },
  contenders(cell, { hand }) {
    const module = hand === undefined ? undefined : cell.gpu.context.module(readFileSync(hand, "utf8"));
    return present(Object.fromEntries(contendersOf(cell, module).filter(([name]) => name !== undefined)));
  },
};

const shortened = ({ datatype, ...entry }) =>
  datatype.kind === "hvector" ? { ...entry, datatype: { ...datatype, count: 64 } } : { ...entry, datatype };

import { grouped } from "@stowage/bench";
import { PAGED_COPIES } from "@stowage/workloads";
import { timesText } from "../dist/times-text.js";
import { blocksInTurns } from "../parts/blocks-in-turns.mjs";
import { openPeers, PEERS } from "../parts/cuda-peers.mjs";
import { onGpu, SIMULATED } from "../parts/device.mjs";
import { PARTS } from "../parts/page-cases.mjs";
import { drawer, pageCell, pageMemories } from "../parts/page-cells.mjs";
import { pageContenders } from "../parts/page-contenders.mjs";
import { PythonPeers } from "../parts/python-peers.mjs";

const GIB = 2 ** 30;
const LONG_BYTES = 2 ** 24;
const DEVICE = { source: "device", target: "device" };
const SIMULATED_BYTES = { device: 2 ** 20, pinned: 2 ** 20, mostBytes: 2 ** 17 };

/** What a cell is called, and the route of its rows: memory of the host is written and read by the device itself. */
function labelOf({ part, copy, title, kinds = DEVICE }, { count, bytes: packedBytes, isOrdered }) {
  const isOnDevice = kinds.source === "device" && kinds.target === "device";
  const name = `${title ?? copy.name}${isOrdered ? ", in order" : ""}`;
  return {
    workload: isOnDevice ? name : `${name}, ${kinds.source} to ${kinds.target}`,
    ...{ part, count, packedBytes, direction: "copy", route: isOnDevice ? "device" : "one-shot" },
  };
}

/**
 * Random pages of pools, 16 to 120,000 of them, 1 GiB at most. "chosen" is the way that an engine's selector takes of
 * all backends for tables of the host. cuTENSOR is no peer: it is not there to be had.
 */
export default {
  name: "pages",
  question: "How fast are copies of pages by tables, beside what else moves them, and which forms of kernels are best?",
  kind: "moves",
  options: {
    ...SIMULATED,
    ...PEERS,
    cells: {
      ...{ kind: "texts", of: Object.keys(PARTS), says: "parts of it" },
      byDefault: ["plain", "layouts", "host", "calls"],
    },
    only: { kind: "text", says: "copies whose name fits this", byDefault: "" },
    "pool-gib": { kind: "number", says: "GiB of the device's memory for the pools of either side", byDefault: 4 },
  },
  trial: {
    simulated: true,
    cells: ["plain", "layouts", "odd", "host", "ends", "calls"],
    only: "/(512|heads-1-of-8|2048)$",
  },
  *cells(given, lab) {
    const { simulated, cells, only = "", poolGib } = given;
    const sizesBytes = simulated ? SIMULATED_BYTES : { device: poolGib * GIB, pinned: GIB, mostBytes: GIB };
    const copies = PAGED_COPIES.filter(({ name }) => new RegExp(only).test(name));
    yield* onGpu(given, lab, function* (gpu) {
      const peers = given.peers === undefined ? undefined : openPeers(given.peers, lab);
      const python = given.python === undefined ? undefined : new PythonPeers(given.python, lab, sizesBytes.device);
      const memories = pageMemories(gpu, peers, sizesBytes);
      const shared = { gpu, peers, memories, random: drawer() };
      try {
        for (const asked of cells.flatMap((part) => PARTS[part](copies).map((each) => ({ ...each, part }))))
          for (const total of simulated ? [sizesBytes.mostBytes] : asked.totals) {
            const own = { ...shared, python: asked.withPython ? python : undefined };
            const cell = pageCell(own, asked.copy, total, asked.kinds ?? DEVICE);
            if (cell === undefined) continue;
            yield { ...cell, label: labelOf(asked, cell), asked };
            cell[Symbol.dispose]();
          }
      } finally {
        memories[Symbol.dispose]();
        python?.[Symbol.dispose]();
      }
    });
  },
  contenders(cell) {
    const { contenders, tunings, isCompared = tunings === undefined } = cell.asked;
    return contenders?.(cell) ?? pageContenders(cell, tunings ?? { tables: {} }, isCompared);
  },
  run(entrants, { gpu, label, asked }, _, lab) {
    const usual = { turns: label.packedBytes >= LONG_BYTES ? 8 : 24 };
    const few = lab.trial ? { turns: 1, warmUpTurns: 0 } : {};
    return blocksInTurns(entrants, { ...usual, ...asked.turns, ...few, settle: () => gpu.stream.synchronize() });
  },
  /** Each part by itself: they are of the same pages. */
  text: (rows) =>
    [...grouped(rows, ({ part }) => part)]
      .map(([part, own]) => (part === undefined ? timesText(own) : `${part}:\n\n${timesText(own)}`))
      .join("\n\n"),
};

import { copyRouteContender } from "@stowage/bench/device";
import { hindexedBlock, hvector, predefined } from "@stowage/ir";
import { backendOn, cellsOn, DIRECTIONS, memcpyOn, ofHarness } from "../parts/device.mjs";
import { routesExperiment } from "../parts/routes.mjs";

const byte = predefined("MPI_BYTE");
const offsets = Array.from({ length: 1000 }, (_, i) => i * 4096 + ((i * 7919) % 61) * 64);
const rows = (count) =>
  [32, 128, 512].map((width) => [`rows of ${width} B, pitch 1024`, hvector(count, width, 1024, byte)]);
const TYPES = (scale) => [
  ["contiguous 16 MiB", hvector(1, 2 ** 24 / scale, 2 ** 24, byte)],
  ...rows(65536 / scale),
  ["64 planes of 64 rows of 256 B", hvector(64, 1, 256 * 1024, hvector(64, 256, 1024, byte))],
  ["1000 blocks of 512 B by index", hindexedBlock(512, offsets.slice(0, Math.ceil(1000 / scale)), byte)],
];

export default routesExperiment({
  name: "dma",
  question: "What does a plan of the copy engine cost beside the same calls of the driver made by hand?",
  budgetMs: 100,
  *cells(gpu, { simulated }) {
    for (const [name, datatype] of TYPES(simulated ? 32 : 1))
      for (const packed of ["device", "pinned"])
        for (const cell of cellsOn(gpu, name, datatype, { directions: DIRECTIONS, packed })) yield { ...cell, packed };
  },
  contenders(cell) {
    const route = cell.packed === "device" ? "device" : "one-shot";
    const facts = { route: cell.packed === "device" ? "device" : "dma" };
    const [byHand] = copyRouteContender(cell.gpu, cell.input, cell.cell, route);
    const own = backendOn(cell, cell.backends.get("dma"), { packed: cell.packed });
    const hand = byHand === undefined ? memcpyOn(cell, route) : ofHarness(byHand, cell.cell);
    return { dma: own && { ...own, facts }, "driver-by-hand": hand && { ...hand, facts } };
  },
});

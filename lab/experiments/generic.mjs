import { workloadOfSize } from "@stowage/bench";
import { backendContender, copyRouteContender, memcpyContender } from "@stowage/bench/device";
import { cellsOn, DIRECTIONS, fetching, ofHarness, onGpu, present, SIMULATED, textByRoute } from "../parts/device.mjs";
import { handContenders } from "../parts/generic-hand.mjs";
import { backendsIn, paper, TIERS, VARIANTS } from "../parts/generic-tunings.mjs";

const ROUTES = ["device", "one-shot"];
const LONG_BYTES = 2 ** 24;

const sized = (names, size, more = {}) => names.map((name) => ({ name: `${name}@${size}`, ...more }));

/**
 * Workloads, and where packed bytes go: on the device where nothing is said. Of Jenkins' types, the bytes of a
 * primitive, too.
 */
const CASES = [
  ...sized(["contiguous", "vector-8", "vector-128", "indexed-random", "struct24", "indexed-8", "lammps-atoms"], "1KiB"),
  ...["subarray4d-4", "subarray4d-8", "subarray4d-16"].map((name) => ({ name })),
  { name: "subarray4d-32", paperBytes: 8 },
  { name: "struct24@17000", paperBytes: 1 },
  { name: "struct24@17000000", paperBytes: 1, routes: ROUTES },
  ...sized(["vector-16", "indexed-random"], "1MiB"),
  ...sized(["contiguous", "vector-128", "indexed-random"], "64MiB", { paperBytes: 8, routes: ROUTES }),
  ...sized(["vector-8", "indexed-8"], "64MiB", { paperBytes: 8 }),
  ...sized(["vector-32", "hvector-bytes-128", "indexed-32", "indexed-128"], "64MiB"),
  ...[
    "fields-halo-x",
    "fields-halo-y",
    "lammps-atoms@12582912",
    "specfem-oc@16777216",
    "specfem-cm@12582912",
    "milc-32",
  ].map((name) => ({ name })),
  { name: "halo26/all", routes: ROUTES },
  { name: "halo26/all", l2FetchBytes: 32 },
];

/** What a case is called in result files. */
const titleOf = ({ name, l2FetchBytes }) =>
  workloadOfSize(name).name + (l2FetchBytes === undefined ? "" : ` (L2 fetch ${l2FetchBytes} B)`);

export default {
  name: "generic",
  question:
    "How near does the kernel for all datatypes come to a plain copy, beside others by hand and the driver's copies?",
  kind: "moves",
  options: {
    ...SIMULATED,
    pattern: { kind: "text", says: "workloads whose name has this in it", byDefault: "" },
    hand: { kind: "text", says: "kernels by hand, lab/c/generic-hand.cu by nvcc -ptx" },
    variants: { kind: "flag", says: "other tunings besides both tiers" },
    tunings: { kind: "text", says: 'one\'s own instead, as JSON: {"/t64": {"threads": 64}}' },
    pack: { kind: "flag", says: "packing alone" },
    route: { kind: "text", of: ROUTES, says: "of cases with both routes, one" },
  },
  trial: { simulated: true, pattern: "8@1KiB" },
  sampling: (_, { label: { packedBytes } }) => ({
    ...{ budgetMs: 0, sampleUs: 0, warmUpMs: 10 },
    rounds: packedBytes >= LONG_BYTES ? 60 : 300,
  }),
  *cells(given, lab) {
    const { pattern = "", pack, route: only, variants, tunings } = given;
    const compared = tunings === undefined ? (variants ? VARIANTS : TIERS) : JSON.parse(tunings);
    const directions = pack ? ["pack"] : DIRECTIONS;
    yield* onGpu(given, lab, function* (gpu) {
      const backends = backendsIn(gpu.driver, compared);
      for (const test of CASES.filter((each) => titleOf(each).includes(pattern) || each.name.includes(pattern))) {
        const { datatype, count } = workloadOfSize(test.name);
        const cells = cellsOn(gpu, titleOf(test), datatype, { count, directions });
        for (const cell of fetching(gpu, test.l2FetchBytes, cells))
          for (const route of (test.routes ?? ["device"]).filter((each) => only === undefined || each === only)) {
            const isPapers = route === "device" && cell.label.direction === "pack" && !variants;
            const papers =
              isPapers && test.paperBytes !== undefined ? backendsIn(gpu.driver, paper(test.paperBytes)) : [];
            yield { ...cell, label: { ...cell.label, route }, route, backends: [...backends, ...papers] };
          }
      }
    });
  },
  contenders({ gpu, cell, input, route, backends }, { hand }) {
    const all = [
      ...backends.map((backend) => backendContender(gpu, input, backend, route)),
      ...handContenders(gpu, input, cell, route, hand),
      ...copyRouteContender(gpu, input, cell, route),
      memcpyContender(gpu, input, route),
    ];
    return present(Object.fromEntries(all.map((each) => [each.name, ofHarness(each, cell, { isWhole: true })])));
  },
  text: textByRoute,
};

import { formatNs, summarise } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { compileTypes } from "@stowage/compile";
import { lower } from "@stowage/ir";
import { nearestPackedBytes, workload } from "@stowage/workloads";

const WORKLOADS =
  "vector-1of2 vector-16of64 milc-32 lu-column wrf-x-rows fft2-transpose lammps-atoms specfem-oc specfem-mt struct24 box4d-doubles indexed-random".split(
    " ",
  );
const TARGETS = ["x86-64", "x86-64-v3", "x86-64-v4", "multi"];

export default {
  name: "compile-objects",
  question: "How long does it take to compile a datatype ahead of time, and how large is its object?",
  kind: "times",
  options: { runs: { kind: "number", says: "samples", byDefault: 9 } },
  trial: { runs: 1 },
  *cells() {
    for (const name of WORKLOADS)
      for (const bytes of [1024, 2 ** 20]) {
        const { datatype } = workload(name, { packedBytes: nearestPackedBytes(name, bytes) });
        yield { label: { workload: name, packedBytes: lower(datatype).sizeBytes }, datatype };
      }
  },
  contenders: ({ datatype }) =>
    Object.fromEntries(
      TARGETS.map((target) => {
        const run = () => compileTypes([{ symbol: "t", datatype }], { name: "t", target, language: "c" })[0];
        return [target, { run, facts: { objectBytes: run().bytes.length } }];
      }),
    ),
  /** Each is compiled some times, no more: a commit takes as long as it takes. */
  run: (entrants, _, { runs }) =>
    Object.fromEntries(
      Object.entries(entrants).map(([target, { run }]) => {
        const samples = Array.from({ length: runs }, () => {
          const begun = process.hrtime.bigint();
          run();
          return Number(process.hrtime.bigint() - begun);
        });
        return [target, summarise(samples)];
      }),
    ),
  text: (rows) =>
    rowsTable(
      rows.map(({ workload: type, packedBytes, contender, objectBytes, medianNs }) => ({
        ...{ type, packedBytes, target: contender, objectBytes, time: formatNs(medianNs) },
      })),
    ),
};

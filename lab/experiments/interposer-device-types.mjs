import { rowsTable } from "@stowage/bench/results";
import { nearestPackedBytes, workload, workloadNames } from "@stowage/workloads";
import { join } from "node:path";
import { deviceExperiment } from "../parts/device-programs.mjs";
import { writeTypes } from "../parts/type-files.mjs";

/** Every workload's datatype, at about so many packed bytes. */
const typesOf = (bytes) =>
  workloadNames().map((name) => {
    const { datatype, count } = workload(name, { packedBytes: nearestPackedBytes(name, bytes) });
    return { name, datatype, count };
  });

export default deviceExperiment({
  name: "interposer-device-types",
  question: "Does every workload's datatype arrive between GPUs as on the host, round a ring and at 26 neighbours?",
  kind: "figures",
  program: "device-types",
  options: {
    ranks: { kind: "numbers", says: "ranks, which share the GPUs in turn", byDefault: [2] },
    bytes: { kind: "number", says: "packed bytes of a type, about", byDefault: 16_384 },
    span: { kind: "number", says: "types that span no more bytes", byDefault: 2 ** 21 },
    verify: { kind: "flag", says: "the MPI moves every range too, and both are compared" },
    types: {
      kind: "text",
      says: "a folder: write the types' descriptions there, for lab/c's program to be run elsewhere",
    },
  },
  runs({ ranks, bytes, span, verify = false, types, printed }, folder) {
    if (printed !== undefined) return [{}];
    const list = writeTypes(types ?? join(folder, "types"), typesOf(bytes));
    return types === undefined ? [{ launches: ranks.map((of) => ({ ranks: of, words: [list, span], verify })) }] : [];
  },
  rowsOf: (lines) =>
    lines.map((line) => ({ workload: `${line.types} types on ${line.ranks} ranks`, contender: "interposer", ...line })),
  text: (rows) => (rows.length === 0 ? "the descriptions are written, and nothing is run" : rowsTable(rows)),
});

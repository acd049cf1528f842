// Descriptions of every workload's datatype for device-types.c: node device-types.mjs FOLDER [PACKED BYTES]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeType } from "@stowage/backend-api";
import { nearestPackedBytes, workload, workloadNames } from "@stowage/workloads";

const [folder = "types", bytes = "16384"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const lines = workloadNames().map((name, i) => {
  const { datatype, count } = workload(name, { packedBytes: nearestPackedBytes(name, Number(bytes)) });
  const path = join(folder, `${i}.type`);
  writeFileSync(path, describeType(datatype));
  return `${name} ${count} ${path}`;
});
writeFileSync(join(folder, "list"), `${lines.join("\n")}\n`);

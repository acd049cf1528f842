// Datatypes for programs in C: descriptions in files, which lab/c/described-type.h reads, and a list of them.
import { describeType } from "@stowage/backend-api";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes { name, datatype, count } into a folder, with options of describeType; returns the list's path, of lines `NAME
 * COUNT FILE`.
 */
export function writeTypes(folder, types, options = {}) {
  mkdirSync(folder, { recursive: true });
  const lines = types.map(({ name, datatype, count }, i) => {
    const path = join(folder, `${i}.type`);
    writeFileSync(path, describeType(datatype, options));
    return `${name} ${count} ${path}\n`;
  });
  const list = join(folder, "list");
  writeFileSync(list, lines.join(""));
  return list;
}

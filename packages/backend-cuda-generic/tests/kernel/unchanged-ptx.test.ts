import { canonicalise, lower, parseDatatype, type Layout } from "@stowage/ir";
import { print } from "@stowage/ptx";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderedKernels } from "./rendered-kernels.js";

interface Golden {
  readonly type: unknown;
  readonly count: number;
}

const GOLDEN = new URL("../../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url);
/** Made at the commit before moves had tables: STOWAGE_WRITE_PTX=1 makes it anew where a change of PTX is meant. */
const LIST = new URL("golden-ptx.json", import.meta.url);
const ARCH = 75;
/** Types of a launch. */
const AT_ONCE = 12;
const WRITES = process.env["STOWAGE_WRITE_PTX"] === "1";
/** All types give the whole list, and take half a minute; some launches stand for all. */
const EACH = WRITES ? 1 : 16;

/** The kernels that golden types take alone and in launches of several, by name, with a hash of their PTX. */
function hashes(): Readonly<Record<string, string>> {
  const lines = readFileSync(GOLDEN, "utf8").trim().split("\n");
  const layouts = [...new Set(lines.map((line) => JSON.stringify((JSON.parse(line) as Golden).type)))]
    .map((type): Layout => canonicalise(lower(parseDatatype(JSON.parse(type)))))
    .filter(({ sizeBytes }) => sizeBytes > 0);
  const found = new Map<string, string>();
  for (let at = 0; at < layouts.length; at += AT_ONCE * EACH)
    for (const tuning of [{}, { planSpace: "memory" } as const])
      for (const kernel of renderedKernels(layouts.slice(at, at + AT_ONCE), 3, tuning))
        found.set(
          kernel.name,
          createHash("sha256")
            .update(print(kernel, { arch: ARCH }))
            .digest("hex"),
        );
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

test("kernels of golden types have the PTX that they had before moves had tables", () => {
  const now = hashes();
  if (WRITES) writeFileSync(LIST, `${JSON.stringify(now, null, 2)}\n`);
  expect(Object.keys(now).length).toBeGreaterThan(20);
  expect(JSON.parse(readFileSync(LIST, "utf8"))).toMatchObject(now);
});

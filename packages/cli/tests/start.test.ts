import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** What a module and those that it imports import from other packages when they are loaded, types aside. */
function packagesLoadedBy(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const queue = [new URL(`../src/${entry}`, import.meta.url)];
  const seen = new Set<string>();
  for (const module of queue) {
    if (seen.has(module.href)) continue;
    seen.add(module.href);
    const source = readFileSync(fileURLToPath(module), "utf8");
    for (const [, name = ""] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gms)) {
      if (name.startsWith(".")) queue.push(new URL(name.replace(/\.js$/, ".ts"), module));
      else packages.add(name);
    }
  }
  return packages;
}

test.each([
  ["main.ts", []], // before it knows whether there is anything to parse
  ["program.ts", ["commander"]],
])("the command line itself loads its parser and nothing heavy: %s", (entry, packages) => {
  expect([...packagesLoadedBy(entry)].filter((name) => !name.startsWith("node:"))).toEqual(packages);
});

test.each([
  ["bench/host.ts", ["vega", "vega-lite", "zod", "@stowage/cuda-driver", "@stowage/bench/device", "@stowage/mpi-abi"]],
  ["bench/peers.ts", ["vega", "vega-lite", "zod", "@stowage/cuda-driver", "@stowage/bench/device"]],
  ["explain/explain.ts", ["vega", "vega-lite", "zod", "@stowage/cuda-driver", "@stowage/bench/device"]],
  ["report/report.ts", ["vega", "vega-lite", "@stowage/selector", "@stowage/cuda-driver", "@stowage/bench/device"]],
  ["golden/verify.ts", ["vega", "vega-lite", "@stowage/cuda-driver", "@stowage/bench/device"]],
])("%s does not load what other commands need", (entry, others) => {
  const loaded = packagesLoadedBy(entry);
  expect(loaded.size).toBeGreaterThan(1);
  expect(others.filter((name) => loaded.has(name))).toEqual([]);
});

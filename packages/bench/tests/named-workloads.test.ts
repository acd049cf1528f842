import { nearestPackedBytes } from "@stowage/workloads";
import { expect, test } from "vitest";
import { namedWorkloads, workloadOfSize } from "../src/workloads/named-workloads.js";
import { parsePackedBytes } from "../src/workloads/packed-bytes.js";
import { PEERS_GPU } from "../src/workloads/peers-gpu.js";

test("a name may end in a size of its own, which goes before the size that is asked of all", () => {
  expect(namedWorkloads(["vector-8@64KiB"])).toEqual(["vector-8@64KiB"]);
  expect(workloadOfSize("vector-8@64KiB", 1024).packedBytes).toBe(65536);
  expect(workloadOfSize("vector-8", 1024).packedBytes).toBe(1024);
});

test.each([
  ["vector-8@big", "vector-8@big: expected bytes, such as 4096, 64KiB or 1MiB behind @, got big"],
  ["vecto-8@1KiB", /is it vector-8/],
])("%s is refused in one line", (name, message) => {
  expect(() => namedWorkloads([name])).toThrow(message);
});

test.each([
  ["4096", 4096],
  ["64KiB", 65536],
  ["1 MiB", 2 ** 20],
  ["0", undefined],
  ["1.5MiB", undefined],
  ["9007199254740993", undefined],
])("%s is %s bytes", (text, bytes) => expect(parsePackedBytes(text)).toBe(bytes));

test.each(namedWorkloads([PEERS_GPU.group]))("%s of the figures for GPUs is a workload of just that size", (name) => {
  const [base = name, size] = name.split("@");
  if (size !== undefined) expect(nearestPackedBytes(base, parsePackedBytes(size) ?? 0)).toBe(parsePackedBytes(size));
  expect(namedWorkloads([name])).toEqual([name]);
});

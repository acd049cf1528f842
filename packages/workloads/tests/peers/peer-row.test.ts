import { existsSync, readFileSync } from "node:fs";
import { boundsOf } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { nearestPackedBytes, workload, workloadOfPeerRow } from "../../src/index.js";

const PEERS = new URL("../../../../../shared/anchors/h200-peers.csv", import.meta.url);

test("rows that moved no datatype have no workload", () => {
  expect(workloadOfPeerRow({ type: "null_kernel", params: "launch+sync" })).toBeUndefined();
  expect(workloadOfPeerRow({ type: "stream_sync", params: "idle" })).toBeUndefined();
});

test.each([
  ["T1_vector", "blk=8;pitch=512", "vector-8"],
  ["T5_indexed_rand", "len=1..16dbl;n=15339", "indexed-random"],
  ["T7_halo26_512f_r2", "dx=-1;dy=0;dz=1", "halo26/-1,0,1"],
  ["memcpy3DAsync", "halo r2 dx=1;dy=1;dz=0;f", "halo26/1,1,0"],
])("%s %s is %s", (type, params, name) => {
  expect(workloadOfPeerRow({ type, params })).toBe(name);
});

const LARGE_BYTES = 1 << 22;
const tableIsHere = existsSync(PEERS);

describe(`every row of the peers' table${tableIsHere ? "" : ` (SKIPPED: no ${PEERS.pathname})`}`, () => {
  const cases = new Map<string, readonly [type: string, params: string, packedBytes: number]>();
  for (const line of tableIsHere ? readFileSync(PEERS, "utf8").trim().split("\n").slice(1) : []) {
    const [, type = "", params = "", bytes = ""] = line.split(",");
    if (Number(bytes) > 0) cases.set(`${type} ${params} ${bytes}`, [type, params, Number(bytes)]);
  }

  test.skipIf(!tableIsHere)("is reachable: there are many", () => {
    expect(cases.size).toBeGreaterThan(150);
  });

  for (const [label, [type, params, packedBytes]] of cases) {
    test(label, () => {
      const name = workloadOfPeerRow({ type, params }) as string;
      expect(nearestPackedBytes(name, packedBytes)).toBe(packedBytes);
      // Long index lists take seconds to draw; their sizes are those of the short ones.
      const { datatype, count } = workload(name, packedBytes > LARGE_BYTES ? {} : { packedBytes });
      expect(boundsOf(datatype).sizeBytes * count).toBeGreaterThan(0);
      if (packedBytes <= LARGE_BYTES) expect(boundsOf(datatype).sizeBytes * count).toBe(packedBytes);
    });
  }
});

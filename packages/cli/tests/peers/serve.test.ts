import { createHash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { cellsOf, expectedScatter, MODES, workloadOfSize, workloadSubject, type Cell } from "@stowage/bench";
import { CANARY, MEMCPY, Server, type CellSpec } from "@stowage/bench/peers";
import { enginePeer } from "../../src/peers/engine-peer.js";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const named = workloadOfSize("NAS_LU_y/0", 200 * 1024);
const [packing, unpacking] = cellsOf(named.name, named.datatype, named.count) as [Cell, Cell];

const spec = ({ direction, packedBytes, count }: Cell): CellSpec => ({
  subject: workloadSubject(named.name),
  modes: MODES,
  warmUpMs: 1,
  scaleBytes: 200 * 1024,
  count,
  packedBytes,
  direction,
  fragmentBytes: 64 * 1024,
});

let server: Server;
afterEach(() => server[Symbol.dispose]());

describe("a backend of ours answers for itself", () => {
  test.each([
    ["pack", packing, sha256(packing.packed)],
    ["unpack", unpacking, sha256(expectedScatter(unpacking, CANARY))],
  ] as const)("%s writes what it must, as a whole and in fragments, canaries left alone", (_, cell, expected) => {
    server = new Server(enginePeer("cpu"));
    const opened = server.answer({ ask: "open", cell: spec(cell) });
    expect(opened).toEqual({
      variants: [
        { name: "cpu", mode: "call" },
        { name: "cpu", mode: "bound" },
        { name: "cpu@64KiB", mode: "bound" },
      ],
      refusals: [],
    });
    for (const variant of [0, 1, 2]) expect(server.answer({ ask: "verify", variant })).toEqual({ sha256: expected });
    expect(server.answer({ ask: "sample", variant: 1 })).toEqual({ ns: expect.any(Number) as number });
    expect(server.answer({ ask: "verify", variant: 1 })).toEqual({ sha256: expected });
  });

  test("it tells what making, committing and freeing the datatype takes", () => {
    server = new Server(enginePeer("cpu"));
    server.answer({ ask: "open", cell: spec(packing) });
    const { times } = server.answer({ ask: "create" }) as { times: Record<string, number> };
    expect(Object.keys(times)).toEqual(["createNs", "commitNs", "freeNs"]);
    for (const ns of Object.values(times)) expect(ns).toBeGreaterThan(0);
  });

  test("nothing can be asked of a cell that is closed", () => {
    server = new Server(enginePeer("cpu"));
    server.answer({ ask: "open", cell: spec(packing) });
    server.answer({ ask: "close" });
    expect(() => server.answer({ ask: "sample", variant: 0 })).toThrow(/expected to be open/);
  });
});

test("memcpy moves the packed stream in either direction, and makes no datatypes", () => {
  server = new Server(MEMCPY);
  for (const cell of [packing, unpacking]) {
    server.answer({ ask: "open", cell: spec(cell) });
    for (const variant of [0, 1, 2]) {
      expect(server.answer({ ask: "verify", variant })).toEqual({ sha256: sha256(cell.packed) });
    }
    expect(server.answer({ ask: "create" })).toEqual({ times: null });
  }
});

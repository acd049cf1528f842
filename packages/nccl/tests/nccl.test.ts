import { openSimulatedCuda } from "@stowage/cuda-driver";
import koffi from "koffi";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { openNccl, openSimulatedNccl } from "../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-nccl-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The stand-in in C, which says that it is of this version. */
function standIn(version: number): string {
  const [source, library] = [fileURLToPath(new URL("stand-in.c", import.meta.url)), join(folder, `libnccl-${version}`)];
  const { stderr } = spawnSync("cc", ["-shared", "-fPIC", `-DVERSION=${version}`, "-o", library, source]);
  expect(String(stderr)).toBe("");
  return library;
}

const BYTES = 64;

describe("a library in C", () => {
  it("gets what C takes: ids by value, addresses, counts of bytes, streams", () => {
    const context = openSimulatedCuda().context(0);
    const nccl = openNccl(standIn(22_705));
    expect(nccl.version).toBe("2.27.5");
    const id = nccl.uniqueId();
    expect([...id.subarray(0, 4), id[127]]).toEqual([0, 3, 6, 9, (127 * 3) % 256]);
    const comm = nccl.communicator(context, { id, rank: 0, size: 1 });
    const [from, into] = [new Uint8Array(BYTES).fill(5), new Uint8Array(BYTES)];
    const [there, back] = [from, into].map((view) => Number(koffi.address(view))) as [number, number];
    using stream = context.stream();
    const exchange = (sizeBytes: number): void =>
      comm.exchange(stream, [
        { act: "send", peer: 0, address: there, sizeBytes },
        { act: "receive", peer: 0, address: back, sizeBytes },
      ]);
    exchange(BYTES);
    expect(into).toEqual(from);
    comm.requireHealth();
    exchange(13);
    expect(() => comm.requireHealth()).toThrow(/^transfer: remote error$/);
    expect(() => nccl.communicator(context, { id, rank: 0, size: 2 })).toThrow(
      /^ncclCommInitRank: invalid usage \(Duplicate GPU detected : rank 1 and rank 0\)$/,
    );
    expect(() => comm.exchange(stream, [{ act: "send", peer: 1, address: there, sizeBytes: 1 }])).toThrow(
      /^ncclSend: failed \(wrong arguments\)$/,
    );
    comm[Symbol.dispose]();
    expect(() => exchange(1)).toThrow("communicator of NCCL: expected one in use, got one that was ended");
  });

  it("that is missing, or of another version, is told in a line", () => {
    expect(() => openNccl("libnccl-that-is-not-there.so.2")).toThrow(
      /^libnccl-that-is-not-there\.so\.2: expected NCCL 2\.7 or later, got none \(.+\): install libnccl2, or name it by STOWAGE_NCCL$/,
    );
    expect(() => openNccl(standIn(2604))).toThrow("ncclGetVersion: expected NCCL 2.7 or later, before 3, got 2.6.4");
    expect(() => openNccl(standIn(30_100))).toThrow("ncclGetVersion: expected NCCL 2.7 or later, before 3, got 3.1.0");
  });
});

describe("a rank among simulated GPUs", () => {
  const context = openSimulatedCuda().context(0);
  const nccl = openSimulatedNccl(context);
  const comm = nccl.communicator(context, { id: nccl.uniqueId(), rank: 0, size: 1 });
  const filled = (value: number) => {
    const memory = context.deviceMemory(BYTES);
    using stream = context.stream();
    memory.fill(value, stream);
    stream.synchronize();
    return memory;
  };
  const first = ({ address }: { address: number }) => context.libcuda.simulation?.read(address, 1)[0];

  it("receives in the order of its stream, and no sooner than its peer sends; other streams go on", () => {
    const [into, one, two] = [context.deviceMemory(BYTES), filled(1), filled(2)];
    using receives = context.stream();
    using sends = context.stream();
    const event = context.event();
    for (const memory of [into, into])
      comm.exchange(receives, [{ act: "receive", peer: 0, address: memory.address, sizeBytes: BYTES }]);
    event.record(receives);
    expect([event.query(), event.query()]).toEqual([false, false]);
    for (const memory of [one, two])
      comm.exchange(sends, [{ act: "send", peer: 0, address: memory.address, sizeBytes: BYTES }]);
    receives.synchronize();
    expect(first(into)).toBe(2);
    sends.synchronize();
  });

  it("is refused where its peer or its communicator is none", () => {
    using stream = context.stream();
    expect(() => comm.exchange(stream, [{ act: "send", peer: 3, address: 0, sizeBytes: 1 }])).toThrow(
      "ncclSend: invalid argument (Invalid peer 3)",
    );
    expect(() => nccl.communicator(context, { id: new Uint8Array(4), rank: 0, size: 1 })).toThrow(
      /^id of a communicator: expected 128 bytes, got /,
    );
  });

  it("that gives up ends what is under way", () => {
    const given = nccl.communicator(context, { id: nccl.uniqueId(), rank: 0, size: 1 });
    const into = filled(3);
    using stream = context.stream();
    given.exchange(stream, [{ act: "receive", peer: 0, address: into.address, sizeBytes: BYTES }]);
    given.abort();
    stream.synchronize();
    expect(first(into)).toBe(3);
  });
});

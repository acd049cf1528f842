import { describe, expect, it } from "vitest";
import { Arena } from "../../src/carriers/ipc/host/arena.js";
import { HOST_OFFER_BYTES, readHostOffer, writeHostOffer } from "../../src/carriers/ipc/host/host-offer.js";
import {
  DATA_END,
  DATA_START,
  PIECE_BYTES,
  RING_BYTES,
  RING_PIECES,
  Segment,
  SEGMENT_BYTES,
  SLOTS,
  startOf,
} from "../../src/carriers/ipc/host/segment.js";
import { SharedMemory } from "../../src/native/shared-memory.js";

const isLinux = process.platform === "linux";
const lives = (): boolean => true;

describe.skipIf(!isLinux)("memory that processes share", () => {
  it("is seen by both sides, and told apart from other files", () => {
    using own = SharedMemory.make(8192);
    using other = SharedMemory.open(process.pid, own.file, 8192);
    own.bytes[8191] = 7;
    expect(other.bytes[8191]).toBe(7);
    expect(() => SharedMemory.open(process.pid, own.file, 4096)).toThrow(
      /expected a file of 4096 bytes, got one of 8192$/,
    );
    expect(() => SharedMemory.open(process.pid, 1, 8192)).toThrow(/expected memory that a process shares, got /);
    expect(() => SharedMemory.open(process.pid, 12_345, 8192)).toThrow(/ENOENT/);
  });

  it("is gone for its maker once that lets go of it, and others learn that it did", () => {
    const own = SharedMemory.make(8192);
    using other = SharedMemory.open(process.pid, own.file, 8192);
    own.bytes[0] = 9;
    expect([own.isMakerAlive, other.isMakerAlive]).toEqual([true, true]);
    own[Symbol.dispose]();
    expect([other.isMakerAlive, other.bytes[0], own.bytes.length]).toEqual([false, 9, 0]);
  });
});

describe.skipIf(!isLinux)("an arena", () => {
  it("gives each message room of its own, and takes back what was read", () => {
    using arena = new Arena();
    const held = Array.from({ length: 3 }, () => arena.take(3 * RING_BYTES, lives) ?? expect.fail("no room"));
    expect(held.map(({ startBytes }) => startBytes)).toEqual([0, 1, 2].map((i) => DATA_START + i * RING_BYTES));
    expect(new Set(held.map(({ slot }) => slot)).size).toBe(3);
    const [first, second] = held as [(typeof held)[0], (typeof held)[0]];
    arena.segment.setPacked(second, second.pieces);
    arena.segment.setTaken(second, second.pieces);
    expect(arena.take(PIECE_BYTES, lives)?.startBytes).toBe(second.startBytes);
    expect([arena.has(first), arena.has(second)]).toEqual([true, false]);
    arena.give(first);
    expect(arena.take(1, lives)?.startBytes).toBe(DATA_START);
  });

  it("has no room when its bytes or its slots are taken, but that of receivers which have ended", () => {
    using arena = new Arena();
    const rings = Math.floor((DATA_END - DATA_START) / RING_BYTES);
    for (let i = 0; i < rings; i++) expect(arena.take(RING_BYTES, () => i !== 5)).toBeDefined();
    expect(arena.take(RING_BYTES, lives)?.startBytes).toBe(DATA_START + 5 * RING_BYTES);
    expect(arena.take(1, lives)).toBeUndefined();
    using small = new Arena();
    for (let i = 0; i < SLOTS; i++) expect(small.take(20_000, lives)).toBeDefined();
    expect(small.take(20_000, lives)).toBeUndefined();
  });

  it("keeps what its receiver let go of until it is packed, or given up", () => {
    using arena = new Arena();
    const held = arena.take(3 * RING_BYTES, lives) ?? expect.fail("no room");
    arena.segment.setPacked(held, 2);
    arena.segment.setTaken(held, held.pieces);
    arena.take(1, lives);
    expect(arena.has(held)).toBe(true);
    arena.segment.giveUp(held);
    arena.take(1, lives);
    expect(arena.has(held)).toBe(false);
  });
});

describe.skipIf(!isLinux)("a segment", () => {
  it("tells its reader of each piece, and of no other message's", () => {
    using arena = new Arena();
    using segment = new Segment(SharedMemory.open(process.pid, arena.memory.file, SEGMENT_BYTES));
    const held = arena.take(RING_BYTES, lives) ?? expect.fail("no room");
    expect(segment.packedOf(held)).toBe(0);
    arena.segment.setPacked(held, 3);
    expect(segment.packedOf(held)).toBe(3);
    segment.setTaken(held, 2);
    expect(arena.segment.takenOf(held)).toBe(2);
    const late = { ...held, turn: held.turn - 1 };
    segment.setTaken(late, RING_PIECES);
    expect([segment.packedOf(late), arena.segment.takenOf(held)]).toEqual([undefined, 2]);
    arena.segment.giveUp(held);
    expect(segment.packedOf(held)).toBeUndefined();
    expect(startOf(held, RING_PIECES + 1)).toBe(held.startBytes + PIECE_BYTES);
  });

  it("is refused once it was let go of", () => {
    const arena = new Arena();
    const held = arena.take(1, lives) ?? expect.fail("no room");
    arena[Symbol.dispose]();
    expect(() => arena.segment.pieces).toThrow(/expected a running MPI, got one that was finalised/);
    expect(() => arena.segment.takenOf(held)).toThrow(/finalised/);
  });
});

describe("an offer of shared memory", () => {
  const place = { slot: 3, turn: -7, startBytes: DATA_START + 4096, ringPieces: 2 };
  const bytes = new Uint8Array(5 + HOST_OFFER_BYTES);

  it("is read as it was written", () => {
    expect(writeHostOffer(bytes, 5, place)).toBe(HOST_OFFER_BYTES);
    expect(readHostOffer(bytes, 5, 2 * PIECE_BYTES)).toEqual(place);
  });

  it.each([
    { slot: SLOTS },
    { slot: -1 },
    { slot: 0.5 },
    { startBytes: DATA_START - 1 },
    { startBytes: DATA_END - PIECE_BYTES },
    { startBytes: DATA_END - 2 * PIECE_BYTES + 1 },
    { ringPieces: 1 },
    { ringPieces: 0 },
    { ringPieces: RING_PIECES + 1 },
    { ringPieces: Number.NaN },
  ])("is refused where it leads outside: %o", (wrong) => {
    writeHostOffer(bytes, 5, { ...place, ...wrong });
    expect(() => readHostOffer(bytes, 5, 2 * PIECE_BYTES)).toThrow(
      /^offer of shared memory: expected a place in \d+ bytes/,
    );
  });
});

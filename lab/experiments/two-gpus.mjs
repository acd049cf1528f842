import {
  copy2D,
  copy3D,
  copyBatch,
  copyBytes,
  openCuda,
  openSharedMemory,
  openSimulatedCuda,
  shareEvent,
  shareMemory,
} from "@stowage/cuda-driver";
import { print } from "@stowage/ptx";
import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answer, lineOf, reachWithoutAccess } from "../parts/ipc-peer.mjs";
import { copyWords } from "../parts/driver-kernels.mjs";
import { difference, pattern } from "../parts/pattern.mjs";
import { inRounds } from "../parts/programs.mjs";
import { SIMULATED } from "../parts/device.mjs";
import { driverText } from "@stowage/bench/device";

async function tryAll({ simulated = false, program, rounds }, lab) {
  const simulatedDriver = () => openSimulatedCuda({ devices: 2, backedBytes: 2 ** 28 });
  const driver = simulated ? simulatedDriver() : openCuda();
  const contexts = driver.devices.map(({ ordinal }) => driver.context(ordinal));
  const [first, second] = contexts;
  const MIB = 2 ** 20;
  const LARGE = simulated ? MIB : 64 * MIB;
  const checks = [];
  const notes = [];
  const rows = [];

  function check(name, failure) {
    checks.push({ name, ...(failure === undefined ? {} : { failure }) });
    lab.remark(failure === undefined ? `ok ${name}` : `FAILED ${name}: ${failure}`);
  }
  function note(name, line) {
    notes.push({ name, line });
    lab.remark(`note ${name}: ${line}`);
  }
  const row = (workload, contender, packedBytes, times) => rows.push({ workload, packedBytes, contender, ...times });
  const textOf = (bytes) => Buffer.from(bytes).toString("base64");

  /** Another process's answer; where GPUs are simulated, which belong to one process, the same work in this one. */
  function ask(message) {
    if (!simulated) return askProcess(message);
    const reply = message === "reach" ? reachWithoutAccess(simulatedDriver()) : answer(driver, message);
    return { reply, end: () => Promise.resolve() };
  }

  /** This process owns memory on GPU 0: two small pieces, which may lie in one block of the driver, and a large one. */
  async function shareWith(device) {
    const where = `other process on GPU ${device}`;
    const stream = first.stream();
    const memories = [4096, 4096, LARGE].map((sizeBytes, i) => {
      const memory = first.deviceMemory(sizeBytes);
      const host = first.pinnedMemory(sizeBytes);
      host.bytes.set(pattern(sizeBytes, 10 + i));
      copyBytes(first, memory.address, host.address, sizeBytes).run(stream);
      return { memory, host, sizeBytes, seed: 10 + i, seedBack: 20 + i };
    });
    const event = first.event({ shared: true });
    event.record(stream);
    const { reply, end } = await ask({
      device,
      owner: 0,
      event: textOf(shareEvent(event)),
      memories: memories.map(({ memory, sizeBytes, seed, seedBack }) => ({
        handle: textOf(shareMemory(memory)),
        sizeBytes,
        seed,
        seedBack,
      })),
    });
    for (const { name, failure } of reply.checks) check(`${where}: ${name}`, failure);
    for (const { name, line } of reply.notes) note(`${where}: ${name}`, line);
    let written;
    try {
      written = first.event({ handle: new Uint8Array(Buffer.from(reply.event, "base64")) });
    } catch (error) {
      note(`event of ${where} opened on GPU 0`, error.message);
      written = contexts[device].event({ handle: new Uint8Array(Buffer.from(reply.event, "base64")) });
    }
    stream.waitFor(written);
    memories.forEach(({ memory, host, sizeBytes, seedBack }, i) => {
      copyBytes(first, host.address, memory.address, sizeBytes).run(stream);
      stream.synchronize();
      check(
        `${where}: wrote memory ${i} of ${sizeBytes} B, by a copy and a kernel`,
        difference(host.bytes, pattern(sizeBytes, seedBack)),
      );
    });
    written[Symbol.dispose]();
    await end();
    for (const { memory, host } of memories) for (const each of [memory, host]) each[Symbol.dispose]();
    event[Symbol.dispose]();
    row(`${where}: open and close shared memory`, "node", 0, reply.times.openAndClose);
    row(`${where}: copy from shared memory`, "node", LARGE, reply.times.read);
    row(`${where}: kernel reads shared memory`, "node", LARGE, reply.times.kernelRead);
  }

  /** Everything that can be wrong with handles in one process. */
  function refusals() {
    const memory = first.deviceMemory(4096);
    const plain = first.event();
    note(
      "this process's own memory opened",
      lineOf(() => openSharedMemory(first, shareMemory(memory), 4096)[Symbol.dispose]()),
    );
    note(
      "an event that is not shared",
      lineOf(() => void shareEvent(plain)),
    );
    note(
      "pinned memory shared",
      lineOf(() => void shareMemory(first.pinnedMemory(4096))),
    );
  }

  /** Batches and copies of 2 and 3 dimensions from GPU 0 to GPU 1. */
  function across(when) {
    const bytes = 256 * 1024;
    const [width, pitch] = [24, 64];
    const from = first.deviceMemory(bytes);
    const to = second.deviceMemory(bytes);
    const [input, output] = [first.pinnedMemory(bytes), first.pinnedMemory(bytes)];
    const [sending, receiving] = [first.stream(), second.stream()];
    input.bytes.set(pattern(bytes, 31));
    copyBytes(first, from.address, input.address, bytes).run(sending);
    const rowsOf = bytes / pitch;
    const expected = (place) => {
      const image = new Uint8Array(bytes).fill(9);
      for (let r = 0; r < rowsOf; r++) image.set(input.bytes.subarray(r * pitch, r * pitch + width), place(r));
      return image;
    };
    const side = (memory, pitchBytes, planeRows) => ({ address: memory.address, host: false, pitchBytes, planeRows });
    const list = (start, step) => Float64Array.from({ length: rowsOf }, (_, i) => start + i * step);
    const ways = {
      "2D copy": () => copy2D(first, side(to, width), side(from, pitch), { widthBytes: width, rows: rowsOf }),
      "3D copy": () =>
        copy3D(first, side(to, width, 64), side(from, pitch, 64), { widthBytes: width, rows: 64, planes: rowsOf / 64 }),
      "batch of copies": () =>
        copyBatch(first, list(to.address, width), list(from.address, pitch), new Float64Array(rowsOf).fill(width)),
    };
    for (const [name, make] of Object.entries(ways)) {
      to.fill(9, receiving);
      receiving.synchronize();
      const line = lineOf(() => {
        make().run(sending);
        sending.synchronize();
      });
      copyBytes(second, output.address, to.address, bytes).run(receiving);
      receiving.synchronize();
      const failure =
        line === "nothing was refused"
          ? difference(
              output.bytes,
              expected((r) => r * width),
            )
          : line;
      check(`${name} from GPU 0 to GPU 1, ${when}`, failure);
    }
    for (const each of [from, to, input, output]) each[Symbol.dispose]();
  }

  async function peers() {
    const [can, back] = [first.canReach(second), second.canReach(first)];
    check("each GPU can reach the other", can && back ? undefined : `expected both, got ${can} and ${back}`);
    note(
      "a GPU made its own peer",
      lineOf(() => first.enablePeer(first)),
    );
    note(
      "peer access disabled that was not enabled",
      lineOf(() => first.disablePeer(second)),
    );
    across("before peer access");
    const { reply, end } = await ask("reach");
    note("a kernel of GPU 0 that reads GPU 1 without peer access", reply);
    await end();
    for (const [own, other] of [contexts, contexts.toReversed()]) own.enablePeer(other);
    first.enablePeer(second); // twice is no error
    across("with peer access");
    for (const [own, other] of [contexts, contexts.toReversed()]) own.disablePeer(other);
    note(
      "peer access disabled twice",
      lineOf(() => first.disablePeer(second)),
    );
  }

  /** Times the same copies from Node and from C, in turns. */
  function timed() {
    const ptx = join(tmpdir(), `stowage-${process.pid}.ptx`);
    writeFileSync(ptx, print([copyWords], { arch: first.device.architecture }));
    const node = [
      process.execPath,
      [fileURLToPath(new URL("../parts/peer-copies.mjs", import.meta.url)), ...(simulated ? ["--simulated"] : [])],
    ];
    rows.push(...inRounds({ node, ...(program === undefined ? {} : { c: [program, [ptx]] }) }, rounds));
  }

  /** What fails leaves the rest to be tried. */
  async function part(name, run) {
    try {
      await run();
    } catch (error) {
      check(name, error.message);
    }
  }

  await part("refusals", refusals);
  await part("two processes on one GPU", () => shareWith(0));
  if (second === undefined) note("two GPUs", "expected two, got one: peers and processes on two were not tried");
  else {
    await part("two processes on two GPUs", () => shareWith(1));
    await part("peers", peers);
    await part("copies in time", timed);
  }
  for (const context of contexts) context[Symbol.dispose]();
  const held = contexts.map(({ device }) => driver.isHeld(device.ordinal));
  // Where GPUs are simulated, the other process's contexts are this one's.
  if (!simulated)
    check(
      "no device is held once its contexts are disposed of",
      held.includes(true) ? `expected none, got ${held.join()}` : undefined,
    );
  lab.note({ machine: { gpu: first.device.name, driver: driverText(driver) }, gpus: contexts.length, checks, notes });
  if (checks.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
  return rows;
}

/** A question to another process that loads the driver itself; `ipc-peer.mjs` has what it can be asked. */
async function askProcess(message) {
  const child = fork(fileURLToPath(new URL("../parts/ipc-peer.mjs", import.meta.url)));
  const reply = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (status) => reject(new Error(`other process: expected an answer, it ended with ${status}`)));
    child.send(message);
  });
  const end = () =>
    new Promise((resolve) => {
      child.removeAllListeners("exit");
      child.once("exit", resolve);
      child.send("end");
    });
  return { reply, end };
}

export default {
  name: "two-gpus",
  question: "Do memory, events and peer access between processes and GPUs hold every byte, and what do they cost?",
  kind: "times",
  options: {
    ...SIMULATED,
    program: { kind: "text", says: "lab/c/two-gpus.c, by gcc -O2 -lcuda, for the same copies from C" },
    rounds: { kind: "number", says: "runs of each program", byDefault: 3 },
  },
  trial: { simulated: true, rounds: 1 },
  *cells() {
    yield { label: { workload: "two GPUs" } };
  },
  contenders: () => ({}),
  run: async (_, __, given, lab) => ({ rows: await tryAll(given, lab) }),
  rows: (_, { rows }) => rows,
};

// What a call of a small pack costs by each entry into machine code, and what its parts cost, on views that differ
// from call to call: node packages/backend-x64/bench/entries.mjs [OUT.json]. Needs g++ and Node's headers beside its
// program.
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Engine } from "@stowage/engine";
import { MAILBOX_RECORD, mailboxRecordAddress } from "@stowage/host-plans";
import { contiguous, predefined } from "@stowage/ir";
import { X64Backend } from "@stowage/backend-x64";
import { summarise } from "@stowage/bench";
import { writeResults } from "./results.mjs";

const SIZES = [64, 1024, 4096];
const PAIRS = 8;
const CALLS = 2000;
const WARM_ROUNDS = 10;
const ROUNDS = 101;

const folder = mkdtempSync(join(tmpdir(), "stowage-entries-"));
const source = fileURLToPath(new URL("entries.cc", import.meta.url));
const headers = join(dirname(realpathSync(process.execPath)), "../include/node");
const addon = join(folder, "entries.node");
execFileSync("g++", ["-O2", "-shared", "-fPIC", "-std=gnu++17", `-I${headers}`, "-o", addon, source]);
const native = createRequire(import.meta.url)(addon);
native.setRecord(Number(mailboxRecordAddress()));

function waysOf(engine, sizeBytes) {
  const committed = engine.commit(contiguous(sizeBytes, predefined("MPI_BYTE")));
  const from = Uint8Array.from({ length: sizeBytes }, (_, i) => i % 251);
  const to = new Uint8Array(sizeBytes);
  const pairs = Array.from({ length: PAIRS }, () => [from.subarray(), to.subarray()]);
  const plan = committed.plan("pack", from, to);
  plan.run();
  const code = MAILBOX_RECORD[0];
  const known = new WeakMap(pairs.flat().map((view) => [view, view]));
  const each = (call) => () => {
    for (let i = 0; i < CALLS; i++) {
      const pair = pairs[i % PAIRS];
      call(pair[0], pair[1], i);
    }
  };
  const moves = {
    "plan.run": each(() => plan.run()),
    // What ran last is in the mailbox still: its record is launched again.
    "an addon's launch of the record": each(() => native.launch()),
    "Committed.pack": each((a, b) => committed.pack(a, b)),
    "Committed.pack, { count }": each((a, b) => committed.pack(a, b, { count: 1 })),
    "an addon that is handed two views": each((a, b) => native.move(a, b, code, sizeBytes)),
    "TypedArray.set": each((a, b) => b.set(a)),
    "a loop over bytes": each((a, b) => {
      for (let k = 0; k < a.length; k++) b[k] = a[k];
    }),
  };
  let sum = 0;
  const parts = {
    "nothing but the loop": each((a, b) => (sum += a.length - b.length)),
    "two look-ups of views": each((a, b) => (sum += known.get(a) === known.get(b) ? 1 : 0)),
    "an option object and its names": each((a, b, i) => {
      const options = { count: i };
      for (const name in options) if (name !== "count") sum++;
    }),
  };
  return { moves, parts, from, to };
}

const rows = [];
const engine = new Engine({ backends: [new X64Backend()] });
try {
  for (const sizeBytes of SIZES) {
    const { moves, parts, from, to } = waysOf(engine, sizeBytes);
    for (const [name, run] of Object.entries(moves)) {
      to.fill(0xee);
      run();
      if (Buffer.compare(from, to) !== 0) throw new Error(`${name}: expected the bytes moved, got others`);
    }
    const ways = Object.entries({ ...moves, ...parts });
    const samples = new Map(ways.map(([name]) => [name, []]));
    for (let round = -WARM_ROUNDS; round < ROUNDS; round++)
      for (const [name, run] of round % 2 === 0 ? ways : ways.toReversed()) {
        const begin = performance.now();
        run();
        if (round >= 0) samples.get(name).push(((performance.now() - begin) * 1e6) / CALLS);
      }
    for (const [name, ns] of samples) {
      const { medianNs, minNs, maxNs } = summarise(ns);
      rows.push({ sizeBytes, entry: name, medianNs, minNs, maxNs, runs: ROUNDS * CALLS, verified: name in moves });
      console.log(`${sizeBytes} bytes, ${name}: ${medianNs.toFixed(1)} ns (least ${minNs.toFixed(1)})`);
    }
  }
  if (process.argv[2] !== undefined) writeResults(process.argv[2], rows);
} finally {
  engine[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
}

import { X64Backend } from "@stowage/backend-x64";
import { Engine } from "@stowage/engine";
import { MAILBOX_RECORD, mailboxRecordAddress } from "@stowage/host-plans";
import { contiguous, predefined } from "@stowage/ir";
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "../parts/in-folder.mjs";
import { output } from "../parts/programs.mjs";
import { rowsOfSteps } from "../parts/steps.mjs";

const [PAIRS, CALLS] = [8, 2000];

/** An addon in C++ that launches a record, or takes two views; by Node's headers beside its program. */
function builtAddon(folder) {
  const file = join(folder, "entries.node");
  const source = fileURLToPath(new URL("../c/entries.cc", import.meta.url));
  const headers = join(dirname(realpathSync(process.execPath)), "../include/node");
  output("g++", ["-O2", "-shared", "-fPIC", "-std=gnu++17", `-I${headers}`, "-o", file, source]);
  const native = createRequire(import.meta.url)(file);
  native.setRecord(Number(mailboxRecordAddress()));
  return native;
}

export default {
  name: "entries",
  question: "What does a call of a small pack cost by each entry into machine code, and what do its parts cost?",
  kind: "times",
  options: { sizes: { kind: "bytes", says: "packed bytes, several", byDefault: [64, 1024, 4096] } },
  trial: { sizes: [64] },
  sampling: () => ({ budgetMs: 0, rounds: 101, sampleUs: 1, warmUpMs: 5 }),
  async *cells({ sizes }) {
    const engine = new Engine({ backends: [new X64Backend()] });
    try {
      yield* inFolder("entries", function* (folder) {
        const native = builtAddon(folder);
        for (const sizeBytes of sizes)
          yield { label: { workload: `${sizeBytes} bytes`, packedBytes: sizeBytes }, engine, native, sizeBytes };
      });
    } finally {
      engine[Symbol.dispose]();
    }
  },
  contenders({ engine, native, sizeBytes }) {
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
    const checked = (who, run) => () => {
      if (who.startsWith("an addon's")) plan.run();
      to.fill(0xee);
      run();
      if (Buffer.compare(from, to) !== 0) throw new Error(`${who}: expected the bytes moved, got others`);
    };
    return Object.fromEntries([
      ...Object.entries(moves).map(([who, run]) => [who, { run, check: checked(who, run) }]),
      ...Object.entries(parts).map(([who, run]) => [who, { run, facts: { verified: false } }]),
    ]);
  },
  rows: rowsOfSteps(CALLS),
};

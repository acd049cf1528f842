// Programs of this build against those of another one, packed in turns over the same buffers:
// node packages/backend-x64/checks/against-build.mjs DIR FILE [LEVELS [ROUNDS [SIZES [PATTERN]]]]. DIR: another
// build of this package.
import { packMove } from "@stowage/backend-api";
import { heading, meanOf, sampleInTurns, scriptCommand, writeResults } from "@stowage/bench";
import { callRecord } from "@stowage/host-plans";
import { canonicalise, dense, layout, lower, stream } from "@stowage/ir";
import { nearestPackedBytes, workload, workloadNames } from "@stowage/workloads";
import koffi from "koffi";
import { resolve } from "node:path";
import { runsOn } from "../dist/feature-level.js";
import { program } from "../dist/lower/program.js";
import { probeMachine } from "../dist/memory/machine.js";
import { tuningOf } from "../dist/options.js";
import { targetOf } from "../dist/targets/target-of.js";

const [, , directory, file, levels = "avx2,avx512", rounds = "15", sizes = "16384,1048576", pattern = "."] =
  process.argv;
const other = (path) => import(`${resolve(directory)}/dist/${path}.js`);
const [{ program: programBefore }, { tuningOf: tuningBefore }, { targetOf: targetBefore }] = await Promise.all(
  ["lower/program", "options", "targets/target-of"].map(other),
);
const { machine } = probeMachine();

const MOST_ARRAY_BYTES = 2 ** 28;
const PAGE_BYTES = 4096;

/** Bytes that start on a page, as an application's arrays do. */
function pageAligned(bytes) {
  const whole = new Uint8Array(bytes + PAGE_BYTES);
  const start = (PAGE_BYTES - (Number(koffi.address(whole)) % PAGE_BYTES)) % PAGE_BYTES;
  return whole.subarray(start, start + bytes);
}

/** Blocks of every width's odd lengths, with gaps that may be unmapped. */
const STRIDED = [3, 5, 7, 9, 12, 15, 17, 20, 28, 33, 36, 44, 60].flatMap((bytes) =>
  [128, 2048].map((stride) => [bytes, stride]),
);

function* cells(bytes) {
  for (const [block, stride] of STRIDED) {
    const count = Math.max(1, Math.floor(bytes / block));
    const root = stream(count, stride, dense(block));
    yield {
      name: `${block} of ${stride} bytes`,
      type: layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes }),
      count: 1,
    };
  }
  for (const name of workloadNames()) {
    const { datatype, count } = workload(name, { packedBytes: nearestPackedBytes(name, bytes) });
    yield { name, type: canonicalise(lower(datatype)), count };
  }
}

const planOf = (code, source, target, count, length) => {
  const sealed = machine.arena.add(code);
  return {
    run: () => callRecord(machine.launcher, [sealed.address, source, target, count, 0, length]),
    release: () => sealed.release(),
  };
};

const rows = [];
const ratios = [];
for (const bytes of sizes.split(",").map(Number)) {
  for (const { name, type, count } of cells(bytes)) {
    if (!new RegExp(pattern).test(name)) continue;
    for (const level of levels.split(",").filter((each) => runsOn(each, machine.level))) {
      const now = program(packMove(type), level, tuningOf({}, targetOf(machine.processor))).code;
      const before = programBefore(packMove(type), level, tuningBefore({}, targetBefore(machine.processor))).code;
      if (Buffer.compare(now, before) === 0) continue;
      const length = count * type.sizeBytes;
      if (type.trueExtentBytes + count * Math.abs(type.extentBytes) > MOST_ARRAY_BYTES) continue;
      const last = (count - 1) * type.extentBytes;
      const low = type.trueLowerBoundBytes + Math.min(0, last);
      const array = pageAligned(type.trueExtentBytes + Math.abs(last)).fill(1);
      const packed = pageAligned(length);
      const [source, target] = [Number(koffi.address(array)) - low, Number(koffi.address(packed))];
      const plans = {
        before: planOf(before, source, target, count, length),
        now: planOf(now, source, target, count, length),
      };
      const calls = Object.values(plans).map((plan) => () => plan.run());
      const times = sampleInTurns(calls, { budgetMs: 0, rounds: Number(rounds), sampleUs: 150, warmUpMs: 2 });
      const measured = { before: times[0], now: times[1] };
      for (const plan of Object.values(plans)) plan.release();
      const ratio = measured.before.minNs / measured.now.minNs;
      ratios.push(ratio);
      console.log(
        `${name}, ${length} bytes, ${level}: ${measured.before.minNs} -> ${measured.now.minNs} ns, ${ratio.toFixed(3)}`,
      );
      for (const [contender, times] of Object.entries(measured))
        rows.push({
          workload: `${name}, ${level}`,
          count,
          packedBytes: length,
          direction: "pack",
          route: "host",
          contender,
          ...times,
          verified: true,
        });
    }
  }
}
console.log(JSON.stringify(meanOf(ratios)));
if (file !== undefined) writeResults(file, { ...heading(scriptCommand()), level: machine.level }, rows);

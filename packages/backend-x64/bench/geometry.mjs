// What each size of this processor's description gains over the size that rules had for every processor before, where
// the code differs: node packages/backend-x64/bench/geometry.mjs FILE [ROUNDS]
import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { dense, forEachRun, layout, stream } from "@stowage/ir";
import { X64Backend } from "../dist/index.js";
import { probeMachine } from "../dist/memory/machine.js";
import { unknown } from "../dist/targets/unknown.js";
import { lineAligned } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { plansOfOptions } from "./plans-of-options.mjs";
import { summarise, writeResults } from "./results.mjs";

const [, , file = "results/epyc/geometry.json", rounds = "11"] = process.argv;
const { machine } = probeMachine();
const own = machine.target;
const withGeometry = (geometry) => ({ target: { ...own, geometry: { ...own.geometry, ...geometry } } });
/** With one size each of the unknown processor's, and with what the formulas leave out (src/targets/thresholds.ts). */
const OTHERS = {
  "8 ways": withGeometry({ l1d: unknown.geometry.l1d }),
  "2,048 pages": withGeometry({ dtlbPages: unknown.geometry.dtlbPages }),
  "a reach of half of the whole L2": { prefetchReachBytes: own.geometry.l2Bytes / 2 },
};

function* shapes() {
  // Columns of matrices whose columns or rows are near powers of two.
  for (const elementBytes of [8, 4, 16])
    for (const rows of [256, 510, 512, 514, 516, 520, 1024, 1026])
      for (const columns of [64, 128])
        for (const row of [columns, 512, 514])
          yield [
            `${rows} x ${columns} of ${elementBytes} bytes, rows of ${row}`,
            stream(columns, elementBytes, stream(rows, row * elementBytes, dense(elementBytes))),
          ];
  for (const count of [600, 1500, 4600, 6000, 8000, 10000, 20000])
    for (const stride of [64, 128, 320, 512, 1032, 2048, 4096, 4112, 6144, 6560, 16400])
      for (const bytes of [8, 24]) {
        if (count * stride <= 2 ** 28)
          yield [`${count} blocks of ${bytes} at ${stride}`, stream(count, stride, dense(bytes))];
      }
}

const codeOf = (options, move) => Buffer.from(new X64Backend(options).compile([move], conditions()).payload.code);

const rows = [];
const ratios = Object.fromEntries(Object.keys(OTHERS).map((name) => [name, []]));
for (const [workload, root] of shapes()) {
  const reach = root.highBytes;
  const type = layout(0, root, { lowerBoundBytes: 0, extentBytes: reach });
  for (const direction of ["pack", "unpack"]) {
    const move = (direction === "pack" ? packMove : unpackMove)(type);
    const code = codeOf({}, move);
    const differing = Object.entries(OTHERS).filter(([, options]) => !code.equals(codeOf(options, move)));
    if (differing.length === 0) continue;
    const [scattered, packed] = [lineAligned(reach), lineAligned(type.sizeBytes)];
    const sides = direction === "pack" ? { source: scattered, target: packed } : { source: packed, target: scattered };
    for (let i = 0; i < sides.source.length; i++) sides.source[i] = (i * 131 + (i >> 8)) & 255;
    const want = wantOf(type, direction, sides);
    const checked = { what: `${workload}, ${direction}`, move, count: 1, ...sides, want };
    const plans = plansOfOptions({ own: {}, ...Object.fromEntries(differing) }, checked);
    const measured = measure(plans, { rounds: Number(rounds) });
    for (const [contender, times] of Object.entries(measured))
      rows.push({
        workload,
        count: 1,
        packedBytes: type.sizeBytes,
        direction,
        route: "host",
        contender,
        ...times,
        verified: true,
      });
    for (const [name] of differing) ratios[name].push(measured[name].medianNs / measured.own.medianNs);
    const line = differing.map(
      ([name]) => `${(measured[name].medianNs / measured.own.medianNs).toFixed(2)} over ${name}`,
    );
    console.log(`${workload} ${direction}: ${line.join(", ")}`);
  }
}
for (const [name, each] of Object.entries(ratios))
  if (each.length > 0) console.log(`over ${name}: ${JSON.stringify(summarise(each))}`);
writeResults(file, rows, { level: machine.level, processor: machine.processor });

/** What the runs of a layout say that the target then holds; bytes between them are 0. */
function wantOf(type, direction, { source, target }) {
  const want = new Uint8Array(target.length);
  let at = 0;
  forEachRun(type, { count: 1, first: 0, length: type.sizeBytes }, (offset, length) => {
    if (direction === "pack") want.set(source.subarray(offset, offset + length), at);
    else want.set(source.subarray(at, at + length), offset);
    at += length;
  });
  return want;
}

// Hashes of the machine code of many layouts, so that a change of the lowering shows which programs it changes: golden
// types, workloads and random layouts, packed, unpacked, copied and reduced, as a Zen 4 has them, as a Xeon has, and as
// large ones are:
// node packages/backend-x64/checks/programs.mjs [--backend DIR] [--random N] [--list FILE] [--against FILE]
// DIR: another build of this package. FILE: one hash a program, which --list writes and --against compares with.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { anyLayout } from "@stowage/arbitraries";
import { copyMove, packMove, unpackMove } from "@stowage/backend-api";
import { canonicalise, layout, lower, parseDatatypeText, stream } from "@stowage/ir";
import { nearestPackedBytes, relayouts, workload, workloadNames } from "@stowage/workloads";
import fc from "fast-check";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    backend: { type: "string", default: `${root}/packages/backend-x64` },
    random: { type: "string", default: "10000" },
    seed: { type: "string", default: "20261122" },
    list: { type: "string" },
    against: { type: "string" },
  },
});
const load = (path) => import(`${resolve(options.backend)}/dist/${path}.js`).catch(() => ({}));
const [
  { FEATURE_LEVELS },
  { DEFAULT_TUNING, tuningOf },
  { zen4 },
  { zen5 },
  { goldenCove },
  { unknown },
  { program, fullProgram },
  { elementProgram, elementCode },
  { copyProgram },
  { reduceProgram },
] = await Promise.all(
  [
    "feature-level",
    "options",
    "targets/zen-4",
    "targets/zen-5",
    "targets/golden-cove",
    "targets/unknown",
    "lower/program",
    "lower/element-program",
    "relayout/copy-program",
    "reduce/reduce-program",
  ].map(load),
);

/** What large layouts do, at any size. */
const LARGE = {
  unrollMoves: 2,
  streamingBytes: 0,
  nonTemporalBytes: 0,
  prefetchReachBytes: 0,
  learntRuns: 0,
  branchHistoryRuns: 0,
  fencedColumns: true,
  limitSetConflicts: true,
  paddedConflicts: true,
  fencedConflicts: true,
  paddedStores: true,
  spacedBlocks: true,
  paddedBlocks: true,
};
const known = Object.fromEntries(Object.entries(LARGE).filter(([name]) => name in DEFAULT_TUNING));
/**
 * A build before there was a description of it takes a Xeon for an unknown processor; one before there were any asks
 * for a vendor.
 */
const xeon = goldenCove ?? unknown;
const [amd, amd5] = [zen4, zen5].map((target) => target ?? "AuthenticAMD");
const TUNINGS = {
  default: DEFAULT_TUNING,
  amd: tuningOf({}, amd),
  large: { ...DEFAULT_TUNING, ...known },
  "zen 5": tuningOf({}, amd5),
  xeon: tuningOf({}, xeon),
};

const REDUCTIONS = [
  { op: "MPI_SUM", element: "float64" },
  { op: "MPI_PROD", element: "int8" },
];

function* moves() {
  for (const [i, [name, each]] of [...layouts()].entries()) {
    yield* packed(name, each);
    if (each.sizeBytes % 8 === 0 && i % 8 === 0) yield [`${name}, reduction`, unpackMove(each)];
  }
  for (const { name, size, source, target } of relayouts()) yield [`${name}, ${size}, copy`, copyMove(source, target)];
  const some = fc.sample(anyLayout({ disjoint: true }), { seed: Number(options.seed), numRuns: 2000 });
  for (let i = 0; i + 1 < some.length; i += 2) {
    const copy = evened(some[i], some[i + 1]);
    if (copy !== undefined) yield [`random ${i} to ${i + 1}, copy`, copy];
  }
}

const packed = (name, each) => [
  [`${name}, pack`, packMove(each)],
  [`${name}, unpack`, unpackMove(each)],
];

function* layouts() {
  const golden = readFileSync(`${root}/packages/cli/golden/openmpi-4.1.4.jsonl`, "utf8").trim().split("\n");
  for (const [i, line] of golden.entries()) {
    const { type } = JSON.parse(line);
    yield [`golden ${i}`, canonicalise(lower(parseDatatypeText(JSON.stringify(type))))];
  }
  for (const name of workloadNames()) {
    for (const bytes of [undefined, 2 ** 20]) {
      const at = bytes === undefined ? {} : { packedBytes: nearestPackedBytes(name, bytes) };
      yield [`${name}, ${bytes ?? "published size"}`, canonicalise(lower(workload(name, at).datatype))];
    }
  }
  const random = fc.sample(anyLayout(), { seed: Number(options.seed), numRuns: Number(options.random) });
  for (const [i, each] of random.entries()) yield [`random ${i}`, i % 2 === 0 ? each : canonicalise(each)];
}

/** As many elements of each as make both one size. */
function evened(source, target) {
  if (source.sizeBytes === 0 || target.sizeBytes === 0 || source.sizeBytes * target.sizeBytes > 2 ** 20)
    return undefined;
  const several = (one, times) => {
    const apart = Math.max(1, one.trueExtentBytes);
    return layout(one.startBytes, stream(times, apart, one.root), { lowerBoundBytes: 0, extentBytes: times * apart });
  };
  return copyMove(several(source, target.sizeBytes), several(target, source.sizeBytes));
}

/** All code of a move that a caller may come to run: for any range, for full packs alone, for one element. */
function codesOf(name, move, level, tuning) {
  try {
    if (name.endsWith("copy")) return [copyProgram(move, level, tuning).code];
    if (name.endsWith("reduction"))
      return REDUCTIONS.map((reduction) => reduceProgram(move, reduction, level, tuning).code);
    const parts = { nonTemporalPartsBytes: 2 ** 20 };
    return [
      program(move, level, tuning, parts).code,
      fullProgram(move, level, tuning)?.code ?? "",
      elementProgram?.(move, level, tuning).code ?? elementCode(move, level, tuning),
    ];
  } catch (error) {
    return [`${error}`];
  }
}

const lines = [];
const all = createHash("sha256");
for (const [name, move] of moves()) {
  for (const level of FEATURE_LEVELS) {
    for (const [tuningName, tuning] of Object.entries(TUNINGS)) {
      const codes = codesOf(name, move, level, tuning);
      const sum = createHash("sha256");
      for (const code of codes) sum.update(code);
      const hash = sum.digest("hex").slice(0, 16);
      all.update(hash);
      lines.push(`${hash} ${codes[0].length} ${level} ${tuningName}: ${name}`);
    }
  }
}
if (options.list !== undefined) writeFileSync(options.list, `${lines.join("\n")}\n`);
console.log(`${lines.length} programs, ${all.digest("hex").slice(0, 16)}`);
if (options.against !== undefined) {
  const keyOf = (line) => line.slice(line.indexOf(" ", line.indexOf(" ") + 1));
  const before = new Map(
    readFileSync(options.against, "utf8")
      .trim()
      .split("\n")
      .map((line) => [keyOf(line), line]),
  );
  const changed = lines.filter((line) => line !== before.get(keyOf(line)));
  for (const line of changed) console.log(`changed: ${line}`);
  console.log(`${changed.length} of ${lines.length} differ from ${options.against} (${before.size} programs)`);
  process.exitCode = changed.length === 0 ? 0 : 1;
}

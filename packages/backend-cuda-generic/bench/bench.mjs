// Times this backend on a GPU beside the driver's own copies: node bench.mjs OUT.json [PATTERN] [options].
// --variants or --tuning=NAME={...} choose tunings, --hand=HAND.ptx adds kernels by hand (nvcc -ptx -arch=sm_90
// hand.cu),
// --pack and --route=device measure less, --simulated tries it out. Every row is checked byte for byte.
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { cellsOf, heading, workloadOfSize, writeResults } from "@stowage/bench";
import { backendContender, CellInput, copyRouteContender, Gpu, memcpyContender } from "@stowage/bench/device";
import { CASES, titleOf } from "./cases.mjs";
import { handContenders } from "./hand.mjs";
import { NamedBackend } from "./named-backend.mjs";
import { timeInTurns } from "./turns.mjs";
import { paperOf, tuningsOf } from "./tunings.mjs";

const args = process.argv.slice(2);
const [out = "bench.json", pattern = ""] = args.filter((arg) => !arg.startsWith("--"));
const hand = args.find((arg) => arg.startsWith("--hand="))?.slice("--hand=".length);
const onlyRoute = args.find((arg) => arg.startsWith("--route="))?.slice("--route=".length);
const simulated = args.includes("--simulated");
const driver = simulated ? openSimulatedCuda() : openCuda();
const gpu = new Gpu(driver);
const { context } = gpu;
const backendOf = ([label, tuning]) =>
  new NamedBackend(`cuda-generic${label}`, new CudaGenericBackend({ driver, tuning }));
const backends = Object.entries(tuningsOf(args)).map(backendOf);
const head = heading(
  `node packages/backend-cuda-generic/bench/bench.mjs OUT ${args
    .filter((arg) => arg !== out)
    .map((arg) => arg.replace(/^--hand=.*/, "--hand=HAND.ptx"))
    .join(" ")}`.trim(),
  gpu.machine,
);
const rows = [];
gpu.warmUp();

for (const test of CASES.filter((each) => titleOf(each).includes(pattern) || each.name.includes(pattern))) {
  const { name, datatype, count } = workloadOfSize(test.name);
  const cells = cellsOf(name, datatype, count);
  const before = context.limit("l2FetchBytes");
  if (test.l2FetchBytes) context.setLimit("l2FetchBytes", test.l2FetchBytes);
  const input = new CellInput(gpu, cells[0]);
  const directions = args.includes("--pack") ? cells.slice(0, 1) : cells;
  const routes = (test.routes ?? ["device"]).filter((route) => onlyRoute === undefined || route === onlyRoute);
  for (const cell of directions) for (const route of routes) measure(test, cell, input, route);
  input[Symbol.dispose]();
  if (test.l2FetchBytes) context.setLimit("l2FetchBytes", before);
}

function measure(test, cell, input, route) {
  const packsOnDevice = cell.direction === "pack" && route === "device";
  const papers =
    packsOnDevice && test.paperBytes !== undefined && !args.includes("--variants")
      ? [backendOf(paperOf(test.paperBytes))]
      : [];
  const contenders = [
    ...[...backends, ...papers].map((backend) => backendContender(gpu, input, backend, route)),
    ...handContenders(gpu, input, cell, route, hand),
    ...copyRouteContender(gpu, input, cell, route),
    memcpyContender(gpu, input, route),
  ];
  const entries = contenders
    .map((contender) => ({ name: contender.name, prepared: contender.prepare(cell) }))
    .filter(({ name, prepared }) => {
      if ("reason" in prepared) console.log(`${titleOf(test)} ${route} ${cell.direction}: ${name}: ${prepared.reason}`);
      return !("reason" in prepared);
    });
  const times = simulated
    ? entries.map(({ prepared }) => (prepared.run(), { medianNs: 1, minNs: 1, maxNs: 1, runs: 1 }))
    : timeInTurns(
        entries.map(
          ({ prepared }) =>
            () =>
              prepared.run(),
        ),
        cell.packedBytes,
      );
  entries.forEach(({ name, prepared }, i) => {
    const eventNs = prepared.eventNs?.();
    prepared.verify();
    const { count, packedBytes, direction } = cell;
    const row = {
      workload: titleOf(test),
      count,
      packedBytes,
      direction,
      route,
      contender: name,
      ...times[i],
      verified: true,
      commitNs: prepared.commitNs,
      ...(eventNs === undefined ? {} : { eventNs }),
    };
    rows.push(row);
    const us = (ns = NaN) => (ns / 1000).toFixed(1).padStart(8);
    console.log(
      `${row.workload.padEnd(26)} ${String(packedBytes).padStart(9)} ${route.padEnd(8)} ${direction.padEnd(6)} ${name.padEnd(30)} wall ${us(row.medianNs)} min ${us(row.minNs)} device ${us(eventNs)} us commit ${us(row.commitNs)} us`,
    );
  });
  for (const { prepared } of entries) prepared[Symbol.dispose]();
  if (!simulated) writeResults(out, head, rows);
}

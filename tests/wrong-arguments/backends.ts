import * as api from "@stowage/backend-api";
import * as cpu from "@stowage/backend-cpu";
import { CudaGenericBackend, paperTuning } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend, DoorbellBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { wholeElementRanges, X64Backend } from "@stowage/backend-x64";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { bound, made, type Call } from "./call.js";
import { artifact, binding, bytes, layout, move, span, whole } from "./subjects.js";

const conditions = () => ({ ...api.conditions() });
const stored = api.encodeArtifact(artifact);
const check = new api.QuickCheck(move, api.conditions());
const box = () => ({ packedBytes: 0, box: { startBytes: 0, rowBytes: 2, dimensions: [{ count: 3, strideBytes: 5 }] } });

const table = () => ({ index: "u32", strideBytes: 16 });
const tabled = api.tabledMove(api.copyMove(layout, layout), { source: table(), target: table() } as api.MoveTables);
const entries = () => ({ memory: api.hostMemory(Uint32Array.of(0, 2)), originBytes: 0 });
const tabledBinding = () => ({
  ...{ source: span(64), target: span(64), count: 2, first: 0, length: 12 },
  tables: {
    source: entries(),
    target: entries(),
    count: { memory: api.hostMemory(Uint32Array.of(2)), originBytes: 0 },
  },
});
const tabledKernel = new cpu.CpuBackend();
const boundTo = bound(tabledKernel.load(tabledKernel.compile([tabled], api.conditions())), "bind");

export const BACKEND_API: readonly Call[] = [
  ["conditions", api.conditions, () => [{ count: 3, threads: 2, sourceAlignment: 8, stores: "temporal" }]],
  ["hostMemory", api.hostMemory, () => [bytes(8)]],
  ["new HostBuffer", made(api.HostBuffer), () => [bytes(8)]],
  ["isAddressSpace", api.isAddressSpace, () => [span(8).memory]],
  ["addressSpace", api.addressSpace, () => [[{ startBytes: 0, buffer: api.hostMemory(bytes(8)) }]]],
  ["regionAt", api.regionAt, () => [span(8).memory, 3]],
  ["decodeArtifact", api.decodeArtifact, () => [stored]],
  ["encodeArtifact", api.encodeArtifact, () => [{ ...artifact }]],
  ["artifactKey", api.artifactKey, () => ["cpu", 1, [{ ...move }], conditions()]],
  ["packMove", api.packMove, () => [layout]],
  ["unpackMove", api.unpackMove, () => [layout]],
  ["copyMove", api.copyMove, () => [layout, layout]],
  ["reduceMove", api.reduceMove, () => [layout, { op: "MPI_SUM", element: "uint8" }]],
  ["reductionOf", api.reductionOf, () => ["MPI_SUM", layout, "uint8"]],
  ["requireReduction", api.requireReduction, () => [{ op: "MPI_SUM", element: "uint8" }]],
  ["tabledMove", api.tabledMove, () => [{ ...move }, { source: table(), target: table(), skips: true }]],
  ["checkBindings of tables", api.checkBindings, () => [[tabled], [tabledBinding()], conditions()]],
  ["Backend.bind of tables", boundTo, () => [[tabledBinding()]]],
  ["directionOf", api.directionOf, () => [{ ...move }]],
  ["scatteredLayout", api.scatteredLayout, () => [{ ...move }]],
  ["reachOf", api.reachOf, () => [layout, { ...whole }]],
  ["bufferOriginOf", api.bufferOriginOf, () => [layout, span(12), { ...whole }]],
  ["addressesOf", api.addressesOf, () => [layout, "source", 0, { ...binding(), source: pinned() }]],
  ["withinRegions", api.withinRegions, () => [() => ({ address: 64, leftBytes: 5 }), box()]],
  ["checkApart", api.checkApart, () => [0, { ...move }, binding()]],
  ["checkBinding", api.checkBinding, () => [[{ ...move }], 0, binding(), conditions()]],
  ["checkBindings", api.checkBindings, () => [[{ ...move }], [binding()], conditions()]],
  ["new QuickCheck", made(api.QuickCheck), () => [{ ...move }, conditions()]],
  ["QuickCheck.passes", bound(check, "passes"), () => [binding()]],
  ["unsupported", api.unsupported, () => ["no such moves"]],
];

const pinned = () => ({ memory: { kind: "pinned", sizeBytes: 64, address: 4096, bytes: bytes(64) }, originBytes: 0 });

const tuning = () => ({ maxWordBytes: 8, unroll: 2, threads: 128, tier: "generic", planSpace: "shared" });

const driver = openSimulatedCuda();
const BACKENDS_MADE: readonly api.Backend[] = [
  new cpu.CpuBackend(),
  new X64Backend(),
  new CudaGenericBackend({ driver }),
  new CudaStridedBackend(() => driver),
  new DmaBackend(() => driver),
];

const onDevice = () => ({ ...conditions(), sourceKind: "device", targetKind: "device" });

const methodsOf = (backend: api.Backend): readonly Call[] => {
  const known = backend.supports([move], api.conditions()).ok ? conditions : onDevice;
  const compiled = backend.compile([move], known() as api.Conditions);
  return [
    [`${backend.name}.supports`, bound(backend, "supports"), () => [[{ ...move }], known()]],
    [`${backend.name}.compile`, bound(backend, "compile"), () => [[{ ...move }], known()]],
    [`${backend.name}.load`, bound(backend, "load"), () => [{ ...compiled }]],
  ];
};

const program = cpu.compileDame(layout);
const loaded = cpu.loadDame(program, layout.extentBytes);

const DAME: readonly Call[] = [
  ["compileDame", cpu.compileDame, () => [layout]],
  ["dameProgram", cpu.dameProgram, () => [[{ kind: "CONTIGFINAL", lengthBytes: 3 }, { kind: "EXIT" }]]],
  ["loadDame", cpu.loadDame, () => [program, 12]],
  ["flattenDame", cpu.flattenDame, () => [loaded]],
  ["parseDame", cpu.parseDame, () => [cpu.printDame(program)]],
  ["printDame", cpu.printDame, () => [program, { tableEntries: 3 }]],
  ["verifyDame", cpu.verifyDame, () => [program]],
  ["startState", cpu.startState, () => [loaded, { count: 1, packedByte: 0, originBytes: 0 }]],
  ["pack", cpu.pack, () => [cpu.startState(loaded), bytes(12), bytes(6)]],
  ["unpack", cpu.unpack, () => [cpu.startState(loaded), bytes(6), bytes(12)]],
  ["copy", cpu.copy, () => [cpu.startState(loaded), cpu.startState(loaded), bytes(12), bytes(12), 6]],
];

export const BACKENDS: readonly Call[] = [
  ["new CpuBackend", made(cpu.CpuBackend), () => [undefined]],
  ["new X64Backend", made(X64Backend), () => [{ level: "sse2", unrollMoves: 2, maskedRuns: true }]],
  ["new CudaGenericBackend", made(CudaGenericBackend), () => [{ driver, tuning: tuning() }]],
  ["new CudaStridedBackend", made(CudaStridedBackend), () => [() => driver, {}]],
  ["new DoorbellBackend", made(DoorbellBackend), () => [new CudaStridedBackend(() => driver), { idleMicroseconds: 5 }]],
  ["new DmaBackend", made(DmaBackend), () => [() => driver]],
  ["paperTuning", paperTuning, () => [4]],
  ["wholeElementRanges", wholeElementRanges, () => [layout, 3, 6]],
  ...BACKENDS_MADE.flatMap(methodsOf),
  ...DAME,
];

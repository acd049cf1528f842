import { conditions, UNCALIBRATED, type Backend } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { LlvmBackend } from "@stowage/backend-llvm";
import { X64Backend } from "@stowage/backend-x64";
import { compileTypes } from "@stowage/compile";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { findLibrary, libraryNames } from "@stowage/llvm";
import { archive, relocatableObject, sharedObject } from "@stowage/object-files";
import { Routes } from "@stowage/routes";
import { bound, made, refusing, type Call } from "./call.js";
import { backend, bytes, move, rows } from "./subjects.js";

const relocation = () => ({ kind: "relative32", offsetBytes: 4, section: 0, addend: -4 });
const code = () => ({
  name: ".text.f",
  kind: "code",
  alignmentBytes: 16,
  bytes: bytes(16),
  relocations: [relocation()],
});
const objectFile = () => ({ sections: [code()], symbols: [{ name: "f", section: 0, offsetBytes: 0, sizeBytes: 8 }] });
const member = () => ({ name: "f.o", bytes: bytes(3), symbols: ["f", "g"] });

export const OBJECT_FILES: readonly Call[] = [
  ["archive", archive, () => [[member(), member()]]],
  ["relocatableObject", relocatableObject, () => [objectFile()]],
  ["sharedObject", sharedObject, () => [objectFile(), "libf.so"]],
];

const compiling = (language: string, target: string) => () => [
  [{ symbol: "rows", datatype: rows }],
  { name: "rows", target, language },
];

export const COMPILE: readonly Call[] = [
  ["compileTypes for C", compileTypes, compiling("c", "x86-64")],
  ["compileTypes for Fortran", compileTypes, compiling("fortran", "x86-64-v3")],
  ["compileTypes for Python", compileTypes, compiling("python", "x86-64-v4")],
  ["compileTypes for C++", compileTypes, compiling("c++", "multi")],
  ["compileTypes for ptx", compileTypes, compiling("c", "ptx")],
];

/** Moves of this one are refused, whatever libLLVM there is: no triple names its processor. */
const nowhere = new LlvmBackend({ triple: "nowhere-none-none", library: "look" });
const host = () => ({ ...conditions() });

const llvmOptions = () => ({ level: 1, passes: "", triple: "x86_64-linux-gnu", features: "+avx2", library: "look" });

export const LLVM: readonly Call[] = [
  ["libraryNames", libraryNames, () => [19]],
  ["findLibrary", refusing(findLibrary), () => ["/nowhere/libLLVM.so"]],
  ["new LlvmBackend", made(LlvmBackend), () => [llvmOptions()]],
  ["llvm.supports", bound(nowhere, "supports"), () => [[{ ...move }], host()]],
  ["llvm.compile", refusing(bound(nowhere, "compile")), () => [[{ ...move }], host()]],
  ["llvm.load", refusing(bound(nowhere, "load")), () => [{ ...backend.compile([move], conditions()) }]],
];

const driver = openSimulatedCuda();
const packer = new CudaStridedBackend(() => driver);
const routeOptions = () => ({ driver: () => driver, limits: { buffers: 2 }, hostPackers: [backend] });
const routes = new Routes([packer], { driver: () => driver, hostPackers: [backend] });
const toHost = () => ({ ...conditions(), sourceKind: "device", targetKind: "pinned" });

const methodsOf = (route: Backend): readonly Call[] => {
  const known = toHost();
  if (!route.supports([move], known as never).ok) known.targetKind = "host";
  const compiled = route.compile([move], known as never);
  return [
    [`${route.name}.supports`, bound(route, "supports"), () => [[{ ...move }], { ...known }]],
    [`${route.name}.compile`, bound(route, "compile"), () => [[{ ...move }], { ...known }]],
    [`${route.name}.load`, bound(route, "load"), () => [{ ...compiled }]],
  ];
};

export const ROUTES: readonly Call[] = [
  ["new Routes", made(Routes), () => [[packer], routeOptions()]],
  ...[...routes.backends, ...routes.bulk].flatMap(methodsOf),
];

const profile = () => ({ machine: "test", figures: { host: { ...UNCALIBRATED.figures["host"] } } });
const onDevice = () => ({ ...conditions(), sourceKind: "device", targetKind: "device" });
const PREDICTING: readonly (readonly [Backend, () => object])[] = [
  [new X64Backend(), host],
  [nowhere, host],
  [new CudaGenericBackend({ driver }), onDevice],
  [packer, onDevice],
  [new DmaBackend(() => driver), onDevice],
  ...[...routes.backends, ...routes.bulk].map((each) => [each, toHost] as const),
];

export const PREDICTIONS: readonly Call[] = PREDICTING.map(([each, known]) => [
  `${each.name}.predict`,
  bound(each, "predict"),
  () => [[{ ...move }], known(), profile()],
]);

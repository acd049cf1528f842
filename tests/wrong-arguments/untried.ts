import * as arbitraries from "@stowage/arbitraries";
import * as llvmBackend from "@stowage/backend-llvm";
import * as bench from "@stowage/bench";
import * as compile from "@stowage/compile";
import * as laws from "@stowage/conformance/laws";
import * as driver from "@stowage/cuda-driver";
import * as llvm from "@stowage/llvm";
import * as bridge from "@stowage/mpi-bridge";
import * as objectFiles from "@stowage/object-files";
import * as routes from "@stowage/routes";

const PACKAGES: readonly object[] = [
  arbitraries,
  bench,
  bridge,
  compile,
  driver,
  laws,
  llvm,
  llvmBackend,
  objectFiles,
  routes,
];

/** Functions that these packages export, classes among them. */
export const EXPORTED: readonly string[] = PACKAGES.flatMap((each) =>
  Object.entries(each)
    .filter(([, value]) => typeof value === "function")
    .map(([name]) => name),
);

/** What is exported and gets no wrong arguments here, by the reason. */
export const UNTRIED: Readonly<Record<string, readonly string[]>> = {
  "errors and checks, made of what we found": [
    ...["InterruptedError", "WrongBytesError", "DriverError", "LlvmError", "LawViolation", "check"],
    ...["requireSameBytes", "noLibrary", "BridgeError", "MpiTimeoutError"],
  ],
  "takes no argument": ["scriptCommand", "isLibraryInstalled", "openLlvm", "sharedPages"],
  "made by openMpi and its communicators, and tried through them": [
    ...["World", "Communicator", "BridgeType", "MatchedMessage", "Mailbox", "MpiFile", "Window"],
  ],
  "writes tables of ours as C, for packages of ours: what it writes is committed and compared": [
    "cConstants",
    "cName",
    "cRecords",
  ],
  "runs for seconds, writes files or asks git": [
    ...["benchHost", "measureCell", "sampleInTurns", "medianCommitNs", "heading", "writeResults", "outputFolder"],
    "commitHash",
    "removeFolder",
  ],
  "a harness's own parts: contenders that it calls with its cells, and words of its command": [
    ...[
      "backendCommit",
      "backendContender",
      "hostContender",
      "expectedScatter",
      "forEachBlock",
      "summarise",
      "turnsOf",
      "interruption",
      "typedCommand",
    ],
  ],
  "conformance's own tests ask it": ["checkLaw"],
  "made by a Context or by another process, whose handles go to the driver as they are": [
    ...["Context", "Driver", "DeviceMemory", "ManagedMemory", "PinnedMemory", "RegisteredMemory", "SharedMemory"],
    ...[
      "Event",
      "Stream",
      "OwnStream",
      "ForeignStream",
      "Module",
      "LoadedKernel",
      "Launch",
      "Graph",
      "ExecutableGraph",
    ],
    ...["openSharedMemory", "shareEvent", "shareMemory"],
  ],
  "takes contexts and addresses, as the driver's own calls do, on the way of every run": [
    ...[
      "captureGraph",
      "copy2D",
      "copy3D",
      "copyBatch",
      "copyBoxes",
      "copyBytes",
      "copyToPeer",
      "describePointer",
      "isCapturing",
    ],
    ...["profiled", "writeWhenDone", "copyAnswers", "selfCheck"],
  ],
  "needs libLLVM": ["Jit", "Llvm", "LlvmModule", "TargetMachine"],
  "code of our own backend, given what it made": ["link", "moduleText", "ptxBackend", "gpuArtifact"],
  "made by Routes, and tried as its backends": ["BulkBackend", "isRoute", "RouteBackend", "RoutePool", "RoutePools"],
  "hands its options to a class that is tried": ["registerLlvm", "registerRoutes"],
};

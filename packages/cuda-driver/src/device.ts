import { OLDEST_ARCH } from "@stowage/ptx";
import type { Libcuda } from "./calls.js";
import { int32, takeInt, takeWord, word64 } from "./cells.js";
import { check } from "./check.js";

// CUdevice_attribute, cuda.h 13.0.
const ATTRIBUTE = {
  warpThreads: 10,
  maxPitchBytes: 11,
  multiprocessors: 16,
  l2Bytes: 38,
  threadsPerMultiprocessor: 39,
  copyEngines: 40,
  computeMajor: 75,
  computeMinor: 76,
  sharedBytesPerBlock: 97,
} as const;

/** The facts of one GPU, which never change (cuDeviceGetAttribute). */
export interface Device {
  /** CUDA's number of the device in this process, from 0. */
  readonly ordinal: number;
  /** The device's name, such as "NVIDIA H200". */
  readonly name: string;
  /**
   * The device's UUID, as nvidia-smi prints it without its prefix. It is the same in every process, whatever ordinals
   * CUDA_VISIBLE_DEVICES gives.
   */
  readonly uuid: string;
  /** The bytes of its memory. */
  readonly totalBytes: number;
  /** The compute capability as one number: 90 is sm_90. */
  readonly architecture: number;
  /** How many streaming multiprocessors it has. */
  readonly multiprocessors: number;
  /** The most threads that one multiprocessor holds at a time. */
  readonly threadsPerMultiprocessor: number;
  /** The threads of a warp. */
  readonly warpThreads: number;
  /** The bytes of its L2 cache. */
  readonly l2Bytes: number;
  /** The largest pitch of a 2D or 3D copy, in bytes. */
  readonly maxPitchBytes: number;
  /** How many copies can run beside kernels at a time. */
  readonly copyEngines: number;
  /** The most dynamic shared memory in bytes that a block can opt into. */
  readonly sharedBytesPerBlock: number;
}

export function describeDevice(libcuda: Libcuda, ordinal: number): Device {
  check(libcuda, "cuDeviceGet", libcuda.cuDeviceGet(int32, ordinal), `device ${ordinal}: name one that exists`);
  const handle = takeInt();
  const attribute = (number: number): number => {
    check(libcuda, "cuDeviceGetAttribute", libcuda.cuDeviceGetAttribute(int32, number, handle));
    return takeInt();
  };
  check(libcuda, "cuDeviceTotalMem", libcuda.cuDeviceTotalMem_v2(word64, handle));
  return Object.freeze({
    ordinal,
    totalBytes: takeWord(),
    name: deviceName(libcuda, handle),
    uuid: deviceUuid(libcuda, handle),
    architecture: attribute(ATTRIBUTE.computeMajor) * 10 + attribute(ATTRIBUTE.computeMinor),
    multiprocessors: attribute(ATTRIBUTE.multiprocessors),
    threadsPerMultiprocessor: attribute(ATTRIBUTE.threadsPerMultiprocessor),
    warpThreads: attribute(ATTRIBUTE.warpThreads),
    l2Bytes: attribute(ATTRIBUTE.l2Bytes),
    maxPitchBytes: attribute(ATTRIBUTE.maxPitchBytes),
    copyEngines: attribute(ATTRIBUTE.copyEngines),
    sharedBytesPerBlock: attribute(ATTRIBUTE.sharedBytesPerBlock),
  });
}

/** Whether kernels can be printed for it. */
export const runsKernels = ({ architecture }: Device): boolean => architecture >= OLDEST_ARCH;

export function tooOld({ ordinal, name, architecture }: Device): string {
  const [least, got] = [OLDEST_ARCH, architecture].map((arch) => (arch / 10).toFixed(1));
  return `device ${ordinal}: expected compute capability ${least} or later, got ${got} (${name}): name another, or copy without kernels`;
}

function deviceName(libcuda: Libcuda, handle: number): string {
  const name = new Uint8Array(256);
  check(libcuda, "cuDeviceGetName", libcuda.cuDeviceGetName(name, name.length, handle));
  return new TextDecoder().decode(name.subarray(0, name.indexOf(0)));
}

function deviceUuid(libcuda: Libcuda, handle: number): string {
  const uuid = new Uint8Array(16);
  check(libcuda, "cuDeviceGetUuid", libcuda.cuDeviceGetUuid_v2(uuid, handle));
  return Array.from(uuid, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

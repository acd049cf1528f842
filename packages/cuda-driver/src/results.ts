// CUresult, cuda.h 13.0: the codes that this package decides by or that the simulated driver returns.
export const SUCCESS = 0;
export const INVALID_VALUE = 1;
export const OUT_OF_MEMORY = 2;
export const NOT_INITIALIZED = 3;
export const CALL_REQUIRES_NEWER_DRIVER = 36;
export const NO_DEVICE = 100;
export const INVALID_DEVICE = 101;
export const INVALID_CONTEXT = 201;
export const NO_BINARY_FOR_GPU = 209;
export const UNSUPPORTED_LIMIT = 215;
export const PEER_ACCESS_UNSUPPORTED = 217;
export const INVALID_PTX = 218;
export const UNSUPPORTED_PTX_VERSION = 222;
export const INVALID_HANDLE = 400;
export const NOT_FOUND = 500;
export const NOT_READY = 600;
export const ILLEGAL_ADDRESS = 700;
export const PEER_ACCESS_ALREADY_ENABLED = 704;
export const PEER_ACCESS_NOT_ENABLED = 705;
const MISALIGNED_ADDRESS = 716;
export const LAUNCH_FAILED = 719;
export const NOT_SUPPORTED = 801;
export const STREAM_CAPTURE_UNSUPPORTED = 900;
export const STREAM_CAPTURE_INVALIDATED = 901;
export const STREAM_CAPTURE_UNMATCHED = 903;
export const STREAM_CAPTURE_UNJOINED = 904;
export const STREAM_CAPTURE_ISOLATION = 905;
export const CAPTURED_EVENT = 907;
export const GRAPH_EXEC_UPDATE_FAILURE = 910;
const SYSTEM_NOT_READY = 802;

/**
 * After these every later call of the process gives the same result: "the process must be terminated and relaunched".
 * CUDA driver API, CUresult.
 */
const LOSSES: ReadonlySet<number> = new Set([
  214,
  220,
  ILLEGAL_ADDRESS,
  702,
  710,
  714,
  715,
  MISALIGNED_ADDRESS,
  717,
  718,
  LAUNCH_FAILED,
  999,
]);

export const isLoss = (result: number): boolean => LOSSES.has(result);

/** What a user can do about a result; shown after CUDA's own name and text. */
const ADVICE: Readonly<Record<number, string>> = {
  [OUT_OF_MEMORY]: "free device memory or ask for less",
  [CALL_REQUIRES_NEWER_DRIVER]: "update the NVIDIA driver",
  [NO_DEVICE]: "check nvidia-smi and CUDA_VISIBLE_DEVICES",
  [INVALID_DEVICE]: "name a device that cuDeviceGetCount counts",
  [NO_BINARY_FOR_GPU]: "render the kernel for this device's architecture",
  [INVALID_PTX]: "render the kernel for this device's architecture",
  [PEER_ACCESS_UNSUPPORTED]: "ask canReach first, and copy by copyToPeer, which passes through the host",
  [UNSUPPORTED_PTX_VERSION]: "update the NVIDIA driver",
  [ILLEGAL_ADDRESS]: "the context is lost: start a new process",
  [PEER_ACCESS_NOT_ENABLED]: "enable it first",
  [MISALIGNED_ADDRESS]: "the context is lost: start a new process",
  [LAUNCH_FAILED]: "the context is lost: start a new process",
  [STREAM_CAPTURE_UNSUPPORTED]: "keep this call out of stream capture",
  [SYSTEM_NOT_READY]: "start the NVIDIA fabric manager or wait for it",
  46: "free the device from its exclusive user",
  214: "reset the device: its memory has an uncorrectable error",
  220: "reset the device: NVLink has an uncorrectable error",
  702: "the context is lost: start a new process",
  710: "the context is lost: start a new process",
  714: "the context is lost: start a new process",
  715: "the context is lost: start a new process",
  717: "the context is lost: start a new process",
  718: "the context is lost: start a new process",
  803: "load the kernel module and the library of one driver version",
  999: "the device may be lost: see the kernel log",
};

export const adviceFor = (result: number): string | undefined => ADVICE[result];

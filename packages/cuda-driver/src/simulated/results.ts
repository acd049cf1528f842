import * as results from "../results.js";

/** CUDA's names and texts of the results that the simulated driver gives. cuda.h 13.0, CUresult. */
const NAMES: Readonly<Record<number, readonly [name: string, text: string]>> = {
  [results.SUCCESS]: ["CUDA_SUCCESS", "no error"],
  [results.INVALID_VALUE]: ["CUDA_ERROR_INVALID_VALUE", "invalid argument"],
  [results.OUT_OF_MEMORY]: ["CUDA_ERROR_OUT_OF_MEMORY", "out of memory"],
  [results.NOT_INITIALIZED]: ["CUDA_ERROR_NOT_INITIALIZED", "initialization error"],
  [results.CALL_REQUIRES_NEWER_DRIVER]: [
    "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER",
    "API call is not supported in the installed CUDA driver",
  ],
  46: ["CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"],
  [results.NO_DEVICE]: ["CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"],
  [results.INVALID_DEVICE]: ["CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"],
  [results.INVALID_CONTEXT]: ["CUDA_ERROR_INVALID_CONTEXT", "invalid device context"],
  [results.NO_BINARY_FOR_GPU]: [
    "CUDA_ERROR_NO_BINARY_FOR_GPU",
    "no kernel image is available for execution on the device",
  ],
  214: ["CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"],
  [results.UNSUPPORTED_LIMIT]: ["CUDA_ERROR_UNSUPPORTED_LIMIT", "limit is not supported on this architecture"],
  [results.PEER_ACCESS_UNSUPPORTED]: [
    "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
    "peer access is not supported between these two devices",
  ],
  [results.INVALID_PTX]: ["CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"],
  [results.UNSUPPORTED_PTX_VERSION]: [
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
    "the provided PTX was compiled with an unsupported toolchain.",
  ],
  [results.INVALID_HANDLE]: ["CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"],
  [results.NOT_FOUND]: ["CUDA_ERROR_NOT_FOUND", "named symbol not found"],
  [results.NOT_READY]: ["CUDA_ERROR_NOT_READY", "device not ready"],
  [results.ILLEGAL_ADDRESS]: ["CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"],
  [results.PEER_ACCESS_ALREADY_ENABLED]: ["CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"],
  [results.PEER_ACCESS_NOT_ENABLED]: ["CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled"],
  [results.LAUNCH_FAILED]: ["CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"],
  [results.NOT_SUPPORTED]: [
    "CUDA_ERROR_NOT_SUPPORTED",
    "operation not supported: a simulated machine that shares no pages gave it",
  ],
  [results.STREAM_CAPTURE_UNSUPPORTED]: [
    "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
    "operation not permitted when stream is capturing",
  ],
  [results.STREAM_CAPTURE_INVALIDATED]: [
    "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
    "operation failed due to a previous error during capture",
  ],
  [results.STREAM_CAPTURE_UNMATCHED]: [
    "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
    "the capture was not initiated in this stream",
  ],
  [results.STREAM_CAPTURE_UNJOINED]: ["CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"],
  [results.STREAM_CAPTURE_ISOLATION]: [
    "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
    "dependency created on uncaptured work in another stream",
  ],
  [results.CAPTURED_EVENT]: [
    "CUDA_ERROR_CAPTURED_EVENT",
    "operation not permitted on an event last recorded in a capturing stream",
  ],
  [results.GRAPH_EXEC_UPDATE_FAILURE]: [
    "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
    "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update",
  ],
  999: ["CUDA_ERROR_UNKNOWN", "unknown error"],
};

export const resultName = (result: number): string => NAMES[result]?.[0] ?? `CUDA_ERROR_${result}`;
export const resultText = (result: number): string => NAMES[result]?.[1] ?? "unrecognized error code";

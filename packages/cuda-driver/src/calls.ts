import type { Kernel } from "@stowage/ptx";

/**
 * The calls of libcuda that we make, by the names it exports them under. Each returns a CUresult, 0 for success.
 * Handles, sizes in bytes and addresses are safe integers; outputs go to the views that are passed for them. What each
 * does: CUDA driver API, chapter 6.
 */
export interface Calls {
  cuInit: (flags: number) => number;
  cuDriverGetVersion: (version: Int32Array) => number;
  cuDeviceGetCount: (count: Int32Array) => number;
  cuDeviceGet: (device: Int32Array, ordinal: number) => number;
  cuDeviceGetName: (name: Uint8Array, lengthBytes: number, device: number) => number;
  cuDeviceGetUuid_v2: (uuid: Uint8Array, device: number) => number;
  cuDeviceGetAttribute: (value: Int32Array, attribute: number, device: number) => number;
  cuDeviceTotalMem_v2: (bytes: BigUint64Array, device: number) => number;
  cuDeviceCanAccessPeer: (can: Int32Array, device: number, peer: number) => number;
  cuDevicePrimaryCtxRetain: (context: BigUint64Array, device: number) => number;
  cuDevicePrimaryCtxRelease_v2: (device: number) => number;
  cuDevicePrimaryCtxGetState: (device: number, flags: Int32Array, active: Int32Array) => number;
  cuCtxSetCurrent: (context: number) => number;
  cuCtxSynchronize: () => number;
  cuCtxGetLimit: (value: BigUint64Array, limit: number) => number;
  cuCtxSetLimit: (limit: number, value: number) => number;
  cuCtxGetStreamPriorityRange: (least: Int32Array, greatest: Int32Array) => number;
  cuCtxEnablePeerAccess: (peer: number, flags: number) => number;
  cuCtxDisablePeerAccess: (peer: number) => number;
  cuModuleLoadDataEx: (
    module: BigUint64Array,
    image: Uint8Array,
    options: number,
    names: Int32Array,
    values: BigUint64Array,
  ) => number;
  cuModuleUnload: (module: number) => number;
  cuModuleGetFunction: (func: BigUint64Array, module: number, name: Uint8Array) => number;
  cuFuncGetAttribute: (value: Int32Array, attribute: number, func: number) => number;
  cuFuncSetAttribute: (func: number, attribute: number, value: number) => number;
  cuOccupancyMaxActiveBlocksPerMultiprocessor: (
    blocks: Int32Array,
    func: number,
    threads: number,
    shared: number,
  ) => number;
  cuLaunchKernelEx: (config: number, func: number, parameters: number, extra: number) => number;
  cuStreamCreate: (stream: BigUint64Array, flags: number) => number;
  cuStreamCreateWithPriority: (stream: BigUint64Array, flags: number, priority: number) => number;
  cuStreamDestroy_v2: (stream: number) => number;
  cuStreamQuery: (stream: number) => number;
  cuStreamSynchronize: (stream: number) => number;
  cuStreamWaitEvent: (stream: number, event: number, flags: number) => number;
  cuStreamWriteValue32_v2: (stream: number, address: number, value: number, flags: number) => number;
  cuStreamBeginCapture_v2: (stream: number, mode: number) => number;
  cuStreamEndCapture: (stream: number, graph: BigUint64Array) => number;
  cuStreamIsCapturing: (stream: number, status: Int32Array) => number;
  cuEventCreate: (event: BigUint64Array, flags: number) => number;
  cuEventDestroy_v2: (event: number) => number;
  cuEventRecord: (event: number, stream: number) => number;
  cuEventQuery: (event: number) => number;
  cuEventSynchronize: (event: number) => number;
  cuEventElapsedTime: (milliseconds: Float32Array, start: number, end: number) => number;
  cuGraphInstantiateWithFlags: (executable: BigUint64Array, graph: number, flags: number) => number;
  cuGraphExecUpdate_v2: (executable: number, graph: number, answer: BigUint64Array) => number;
  cuGraphLaunch: (executable: number, stream: number) => number;
  cuGraphExecDestroy: (executable: number) => number;
  cuGraphDestroy: (graph: number) => number;
  cuGraphGetNodes: (graph: number, nodes: BigUint64Array | 0, count: BigUint64Array) => number;
  cuGraphNodeGetType: (node: number, type: Int32Array) => number;
  cuGraphExecKernelNodeSetParams_v2: (executable: number, node: number, parameters: number) => number;
  cuMemGetInfo_v2: (free: BigUint64Array, total: BigUint64Array) => number;
  cuMemAlloc_v2: (address: BigUint64Array, bytes: number) => number;
  cuMemFree_v2: (address: number) => number;
  cuMemHostAlloc: (address: BigUint64Array, bytes: number, flags: number) => number;
  cuMemFreeHost: (address: number) => number;
  cuMemHostRegister_v2: (address: number, bytes: number, flags: number) => number;
  cuMemHostUnregister: (address: number) => number;
  cuMemHostGetDevicePointer_v2: (address: BigUint64Array, host: number, flags: number) => number;
  cuMemAllocManaged: (address: BigUint64Array, bytes: number, flags: number) => number;
  cuPointerGetAttributes: (count: number, attributes: Int32Array, values: BigUint64Array, address: number) => number;
  cuMemcpyAsync: (target: number, source: number, bytes: number, stream: number) => number;
  cuMemcpy2DAsync_v2: (copy: number, stream: number) => number;
  cuMemcpy3DAsync_v2: (copy: number, stream: number) => number;
  cuMemcpyPeerAsync: (
    target: number,
    targetContext: number,
    source: number,
    sourceContext: number,
    bytes: number,
    stream: number,
  ) => number;
  cuMemcpyBatchAsync: (
    targets: number,
    sources: number,
    sizes: number,
    count: number,
    attributes: number,
    attributeIndices: number,
    attributeCount: number,
    failed: number,
    stream: number,
  ) => number;
  cuMemcpy3DBatchAsync: (count: number, operations: number, failed: number, flags: number, stream: number) => number;
  cuMemsetD8Async: (target: number, value: number, bytes: number, stream: number) => number;
  cuIpcGetMemHandle: (handle: Uint8Array, address: number) => number;
  cuIpcOpenMemHandle_v2: (address: BigUint64Array, handle: Uint8Array, flags: number) => number;
  cuIpcCloseMemHandle: (address: number) => number;
  cuIpcGetEventHandle: (handle: Uint8Array, event: number) => number;
  cuIpcOpenEventHandle: (event: BigUint64Array, handle: Uint8Array) => number;
  cuProfilerStart: () => number;
  cuProfilerStop: () => number;
}

/** libcuda, or what stands in for it. */
export interface Libcuda extends Calls {
  /** Is called with every kernel before its text is loaded: a simulated device runs kernels, not text. */
  rendered: (text: string, kernel: Kernel) => void;
  /** CUDA's own name of a result, such as CUDA_ERROR_OUT_OF_MEMORY. */
  errorName: (result: number) => string;
  /** CUDA's own text of a result. */
  errorText: (result: number) => string;
  /**
   * The address of a view's first byte, for the calls. The view must own an ArrayBuffer, and stay referenced while the
   * address is used.
   */
  addressOf: (view: ArrayBufferView) => number;
  /**
   * The bytes of pinned or managed memory, for JavaScript to read and write. The view must not be used after the memory
   * was given back.
   */
  bytesAt: (address: number, sizeBytes: number) => Uint8Array;
  /** What simulated devices alone have. Absent: the library is a real one. */
  readonly simulation?: Simulation;
}

/**
 * What a simulated library of another kind needs of simulated devices: to send work to their streams and to touch their
 * memory.
 */
export interface Simulation {
  /**
   * Sends work to a stream: `attempt` is called in the stream's order until it says that it is done. Returns a
   * CUresult.
   */
  enqueue: (stream: number, attempt: () => boolean) => number;
  /** The number in its machine of the GPU whose context is current; undefined where none is. */
  currentGpu: () => number | undefined;
  /** A copy of `sizeBytes` bytes of simulated memory from an address on. */
  read: (address: number, sizeBytes: number) => Uint8Array;
  /** Writes bytes to simulated memory from an address on. */
  write: (address: number, bytes: Uint8Array) => void;
}

import { check, DriverError } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import { writeWord } from "./word.js";

/** The number of blocks of a grid, or of threads of a block, in each dimension. */
export interface Extent3 {
  /** The innermost dimension. */
  readonly x: number;
  /** The second dimension. Default: 1. */
  readonly y?: number;
  /** The outermost dimension. Default: 1. */
  readonly z?: number;
}

/** The grid and the block of a launch. */
export interface LaunchShape {
  /** How many blocks there are. */
  readonly grid: Extent3;
  /** How many threads a block has. */
  readonly block: Extent3;
  /** The bytes of dynamic shared memory of a block. Default: 0. */
  readonly sharedBytes?: number;
}

// CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE, _END: the parameters as one buffer, cuda.h 13.0.
const [BUFFER_POINTER, BUFFER_SIZE, END] = [1n, 2n, 0n];
// CUlaunchConfig, 56 bytes; CUDA_KERNEL_NODE_PARAMS_v2, 72 bytes.
const CONFIG_STREAM = 32;
const NODE_EXTRA = 48;

/**
 * A kernel with its grid and packed parameters. All that the driver reads lies in two buffers of our own, so that
 * running it is one call of four integers. Write to `parameters` to change what the next run gets.
 */
export class Launch {
  /** The context that the kernel was loaded into. */
  readonly context: ContextHandle;
  /** The kernel's parameters, packed as PTX lays them out: in order, each at its natural alignment, little-endian. */
  readonly parameters: DataView;
  readonly #parameterHalves: Uint32Array;
  readonly #function: number;
  readonly #config = new ArrayBuffer(56);
  readonly #configWords = new Uint32Array(this.#config);
  readonly #configAddress: number;
  readonly #streamWord = new BigUint64Array(this.#config, CONFIG_STREAM, 1);
  readonly #extra: BigUint64Array;
  readonly #extraAddress: number;
  readonly #node = new ArrayBuffer(72);
  readonly #nodeAddress: number;
  #stream = 0;

  /**
   * Makes a launch of the CUfunction `func` with room for `parametersBytes` bytes of parameters; `LoadedKernel.launch`
   * is the usual way. Throws a DriverError for a shape that is none.
   */
  constructor(context: ContextHandle, func: number, parametersBytes: number, shape: LaunchShape) {
    const { libcuda } = context;
    this.context = context;
    this.#function = func;
    this.parameters = new DataView(new ArrayBuffer(Math.max(8, Math.ceil(parametersBytes / 8) * 8)));
    this.#parameterHalves = new Uint32Array(this.parameters.buffer);
    // Cells 5 holds the size that BUFFER_SIZE points at.
    this.#extra = new BigUint64Array(new ArrayBuffer(48));
    this.#extraAddress = libcuda.addressOf(this.#extra);
    this.#extra.set([BUFFER_POINTER, BigInt(libcuda.addressOf(this.parameters)), BUFFER_SIZE]);
    this.#extra.set([BigInt(this.#extraAddress + 40), END, BigInt(parametersBytes)], 3);
    this.#configAddress = libcuda.addressOf(this.#configWords);
    this.#nodeAddress = libcuda.addressOf(new Uint8Array(this.#node));
    this.reshape(shape);
  }

  /** Sets another grid or block for the next run. */
  reshape({ grid, block, sharedBytes = 0 }: LaunchShape): void {
    const shape = [grid.x, grid.y ?? 1, grid.z ?? 1, block.x, block.y ?? 1, block.z ?? 1, sharedBytes];
    for (const [i, extent] of shape.entries()) requireExtent(extent, i === 6 ? 0 : 1);
    this.#configWords.set(shape);
    new Uint32Array(this.#node, 8, 7).set(shape);
  }

  /** Writes a 64-bit parameter, such as an address, at an offset in bytes that 8 divides; allocates nothing. */
  setWord(offsetBytes: number, value: number): void {
    writeWord(this.#parameterHalves, offsetBytes / 8, value);
  }

  /** Sends the kernel to a stream of its context. Throws a DriverError where the driver refuses the launch. */
  run(stream: StreamHandle): void {
    const { handle } = stream;
    if (handle !== this.#stream) {
      this.#streamWord[0] = BigInt(handle);
      this.#stream = handle;
    }
    this.context.enter();
    const { libcuda } = this.context;
    const result = libcuda.cuLaunchKernelEx(this.#configAddress, this.#function, 0, this.#extraAddress);
    check(libcuda, "cuLaunchKernelEx", result);
  }

  /**
   * The address of this launch as the parameters of a graph's kernel node (CUDA_KERNEL_NODE_PARAMS). It holds while
   * this object lives.
   */
  nodeParameters(): number {
    const words = new BigUint64Array(this.#node);
    words[0] = BigInt(this.#function);
    words[NODE_EXTRA / 8] = BigInt(this.#extraAddress);
    return this.#nodeAddress;
  }
}

function requireExtent(value: number, least: number): void {
  if (Number.isInteger(value) && value >= least && value < 2 ** 31) return;
  throw new DriverError("launch", undefined, `expected extents of ${least} to 2^31 - 1, got ${value}`);
}

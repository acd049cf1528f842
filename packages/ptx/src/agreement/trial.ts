import type { Kernel } from "../ir/kernel.js";
import { encodeParameters } from "../ir/parameter-layout.js";
import type { Dimensions } from "../simulate/launch.js";
import { SimulatedMemory } from "../simulate/memory.js";
import { translate } from "../simulate/translate.js";
import { Random } from "./random.js";

/** The parameters of every kernel of the agreement trials. */
export const TRIAL_PARAMETERS = { input: "u64", output: "u64", table: { bytes: 64, align: 16 } } as const;
/** The blocks of the grid that every kernel of the trials is launched with. */
export const TRIAL_GRID: Dimensions = [2, 1, 1];
/** The threads of a block: three warps, so that they can disagree. */
export const TRIAL_BLOCK: Dimensions = [96, 1, 1];
export const TRIAL_THREADS = 192;
/** Bytes of the input of a trial. */
export const INPUT_BYTES = 16384;
export const OUTPUT_BYTES_A_THREAD = 32;
/** Bytes of the output of a trial, 32 a thread. */
export const OUTPUT_BYTES = TRIAL_THREADS * OUTPUT_BYTES_A_THREAD;

const INPUT_SEED = 20261121;

/** The input of all trials. Its first half is random; the second holds the values where arithmetic turns. */
export function trialInput(): Uint8Array {
  const random = new Random(INPUT_SEED);
  const input = random.bytes(INPUT_BYTES);
  const view = new DataView(input.buffer);
  const corners = [
    0n,
    1n,
    2n,
    31n,
    32n,
    33n,
    63n,
    64n,
    65n,
    2n ** 31n,
    2n ** 32n - 1n,
    2n ** 32n,
    2n ** 63n,
    2n ** 64n - 1n,
  ];
  for (let offset = INPUT_BYTES / 2; offset < INPUT_BYTES; offset += 8) {
    const jitter = BigInt(random.below(3)) - 1n;
    view.setBigUint64(offset, BigInt.asUintN(64, random.pick(corners) + jitter), true);
  }
  return input;
}

/** The bytes of the parameter `table` of all trials. */
export const trialTable = (): Uint8Array => new Random(INPUT_SEED + 1).bytes(64);

const INPUT = trialInput();
const TABLE = trialTable();

/** What the simulated device makes of a trial's kernel. */
export function simulateTrial(
  kernel: Kernel,
  memory: SimulatedMemory = new SimulatedMemory({ capacityBytes: 2 ** 20 }),
): Uint8Array {
  const input = memory.allocate(INPUT_BYTES);
  const output = memory.allocate(OUTPUT_BYTES);
  input.bytes?.set(INPUT);
  output.bytes?.fill(0);
  const values = { input: input.address, output: output.address, table: TABLE };
  const parameters = encodeParameters(kernel, values);
  translate(kernel, { checkRaces: true }).launch(memory, { grid: TRIAL_GRID, block: TRIAL_BLOCK, parameters });
  const result = memory.read(output.address, OUTPUT_BYTES);
  memory.free(input.address);
  memory.free(output.address);
  return result;
}

export { instructionKernels } from "./instruction-kernels.js";
export { randomKernel } from "./random-kernel.js";
export { hashWords } from "./random.js";
export {
  INPUT_BYTES,
  OUTPUT_BYTES,
  simulateTrial,
  TRIAL_BLOCK,
  TRIAL_GRID,
  TRIAL_PARAMETERS,
  trialInput,
  trialTable,
} from "./trial.js";

// ncclResult_t, nccl.h 2.27: those that are decided by, or that the simulated library gives.
export const SUCCESS = 0;
export const CUDA_ERROR = 1;
export const INVALID_ARGUMENT = 4;
export const INVALID_USAGE = 5;

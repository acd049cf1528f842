import { keepsTheLaws, pinned } from "./keeps-the-laws.js";

// All routes with all packers: tests/long. A case here is a whole route on the simulated device.
const share = 1 / 100;

keepsTheLaws("one-shot/cuda-strided", pinned, { share });
keepsTheLaws("device/cuda-generic", pinned, { share });
keepsTheLaws("staged/dma", undefined, { share });
keepsTheLaws("pipelined/cuda-strided", pinned, { share });
keepsTheLaws("bulk/x64", undefined, { share, directions: ["pack"] });
keepsTheLaws("pipelined/cuda-generic", undefined, { share, limits: { buffers: 1 } });

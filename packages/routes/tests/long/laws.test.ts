import { keepsTheLaws, pinned } from "../keeps-the-laws.js";

const share = 1 / 8;

for (const packer of ["cuda-generic", "cuda-strided", "dma"]) {
  keepsTheLaws(`one-shot/${packer}`, pinned, { share });
  keepsTheLaws(`device/${packer}`, pinned, { share });
  keepsTheLaws(`staged/${packer}`, undefined, { share });
  keepsTheLaws(`pipelined/${packer}`, pinned, { share });
  keepsTheLaws(`pipelined/${packer}`, undefined, { share });
  keepsTheLaws(`pipelined/${packer}`, pinned, { share, limits: { buffers: 1 } });
  keepsTheLaws(`pipelined/${packer}`, undefined, { share, limits: { buffers: 1 } });
  keepsTheLaws(`device/${packer}`, pinned, { share, limits: { buffers: 1 } });
}

for (const packer of ["cpu", "x64"]) {
  keepsTheLaws(`bulk/${packer}`, undefined, { share, directions: ["pack"] });
  keepsTheLaws(`bulk/${packer}`, undefined, { share, directions: ["pack"], limits: { buffers: 1 } });
}

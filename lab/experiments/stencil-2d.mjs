import { stencilExperiment } from "../dist/applications/stencil-experiment.js";

export default stencilExperiment(
  "stencil-2d",
  "How many GFLOPS has SHOC's 2D stencil of 9 points by each way of exchanging its halo? (Jenkins et al. 2014, table 3)",
);

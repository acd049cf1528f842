import { stencilExperiment } from "../dist/applications/stencil-experiment.js";

export default stencilExperiment(
  "stencil-3d",
  "What do the halos of a 3D stencil of 26 points cost by each way? (Pearson et al. 2021, figure 12)",
);

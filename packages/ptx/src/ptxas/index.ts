export { AssemblyReport } from "./assembly-report.js";
export { everyPair } from "./every-pair.js";
export { assemble, ptxasArchitectures, registersFor, type AssembledKernel } from "./ptxas.js";

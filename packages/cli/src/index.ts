export { createProgram } from "./program.js";
export { runProgram } from "./run-program.js";
export { parseResults, type Machine, type ResultRow, type Results } from "./results/schema.js";
export { layoutSvg } from "./picture/layout-svg.js";

export { createProgram } from "./program.js";
export { runProgram } from "./run-program.js";
export { layoutSvg } from "./picture/layout-svg.js";

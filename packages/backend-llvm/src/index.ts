export { LlvmBackend } from "./backend.js";
export { link, type Image } from "./object/link.js";
export { moduleText } from "./lower/program.js";
export type { LlvmOptions } from "./options.js";
export { registerLlvm } from "./register.js";
export type { Target } from "./target.js";

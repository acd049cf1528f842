export { DmaBackend, MOST_COPIES } from "./backend.js";
export { registerDma } from "./register.js";

/// <reference lib="esnext.disposable" preserve="true" />
export { DmaBackend, MOST_COPIES } from "./backend.js";
export { DMA_COSTS } from "./cost-model.js";
export { registerDma } from "./register.js";

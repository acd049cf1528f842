export { anyDatatype } from "./any-datatype.js";
export { anyLayout } from "./any-layout.js";
export type { DatatypeOptions } from "./options.js";

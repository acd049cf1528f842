export { datatypeOf } from "./description/datatype-of.js";

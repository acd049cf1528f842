export { parseResults } from "./schema.js";

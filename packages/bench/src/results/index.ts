export { parseResults, resultsJsonSchema } from "./schema.js";

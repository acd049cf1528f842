export { HEADING_FIELDS, parseAs, parseResults, resultsJsonSchema } from "./schema.js";

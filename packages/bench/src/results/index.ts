export { documentFault } from "./document-fault.js";
export { HEADING_FIELDS, parseAs, parseResults, resultsJsonSchema } from "./schema.js";

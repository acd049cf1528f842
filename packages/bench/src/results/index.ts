export { documentFault } from "./document-fault.js";
export { anyRows, rowsTable } from "./any-rows.js";
export { cell, code, markdownTable } from "./markdown-table.js";
export { HEADING_FIELDS, parseAnyResults, parseAs, parseResults, resultsJsonSchema } from "./schema.js";

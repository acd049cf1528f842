import { bytesOf, type RecordFormat } from "@stowage/backend-api";

/**
 * For each record a dictionary from a field's name to its place and width, and the record's length: _NODE, _NODE_BYTES.
 */
export const pythonRecords = (formats: Readonly<Record<string, RecordFormat>>): string =>
  Object.entries(formats)
    .map(([name, { bytes, fields }]) => {
      const upper = `_${name.toUpperCase()}`;
      const rows = fields.map((field) => `    "${field.name}": (${field.offset}, ${bytesOf(field.type)}),\n`);
      return `${upper}_BYTES = ${bytes}\n${upper} = {\n${rows.join("")}}`;
    })
    .join("\n");

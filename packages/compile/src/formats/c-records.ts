import type { FieldType, RecordField, RecordFormat } from "@stowage/backend-api";

const C_TYPES: Readonly<Record<FieldType, string>> = {
  char: "char",
  u8: "uint8_t",
  u32: "uint32_t",
  u64: "uint64_t",
  i64: "int64_t",
};
const COLUMNS = 120;

/** A name of TypeScript as C has it: bodyFirst becomes body_first. */
export const cName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The text of C structs for records, with assertions that a compiler lays them out as the tables say. */
export const cRecords = (formats: readonly RecordFormat[]): string => formats.map(cRecord).join("\n");

/** The text of a C enumeration, `enum { PREFIX_NAME = value }`, of names as TypeScript has them. */
export function cConstants(prefix: string, values: Readonly<Record<string, number>>): string {
  const rows = Object.entries(values).map(([name, value]) => `  ${prefix}_${cName(name).toUpperCase()} = ${value}`);
  return `enum {\n${rows.join(",\n")}\n};\n`;
}

function cRecord(format: RecordFormat): string {
  const { name, about, bytes, fields } = format;
  const struct = `struct ${name}`;
  const places = fields.map((field) => {
    const place = `offsetof(${struct}, ${cName(field.name)}) == ${field.offset}`;
    return `static_assert(${place}, "${name}.${cName(field.name)}");\n`;
  });
  const size = `static_assert(sizeof(${struct}) == ${bytes}, "${name}");\n`;
  return `/* ${about} */\n${struct} {\n${membersOf(fields)}};\n${size}${places.join("")}`;
}

/** Fields that share a place are a union where the first of them stands. */
function membersOf(fields: readonly RecordField[]): string {
  const own = fields.filter(({ shares }) => !shares);
  return own
    .map((field) => {
      const sharing = fields.filter(({ shares, offset }) => shares && offset === field.offset);
      if (sharing.length === 0) return memberOf(field, "  ");
      const members = [field, ...sharing].map((each) => memberOf(each, "    "));
      return `  union {\n${members.join("")}  };\n`;
    })
    .join("");
}

function memberOf({ name, type, about, count }: RecordField, indent: string): string {
  const cType = typeof type === "string" ? C_TYPES[type] : `struct ${type.name}`;
  const member = `${indent}${cType} ${cName(name)}${count === 1 ? "" : `[${count}]`};`;
  if (about === "") return `${member}\n`;
  const beside = `${member} /* ${about} */`;
  return beside.length <= COLUMNS ? `${beside}\n` : `${indent}/* ${about} */\n${member}\n`;
}

import type { Visibility } from "../x64/object-of.js";
import { MOST_ELEMENT_BYTES } from "@stowage/backend-x64";
import type { CompiledType } from "../compiled-type.js";
import { constantsOf, CONTRACT, documentLines, extentOf, signatureText } from "./described.js";

const PARAMETERS =
  "const void *STOWAGE_RESTRICT source, void *STOWAGE_RESTRICT target,\n    int64_t count, int64_t first, int64_t length";

const HEAD = `#ifndef STOWAGE_RESTRICT
#ifdef __cplusplus
#define STOWAGE_RESTRICT __restrict
#else
#define STOWAGE_RESTRICT restrict
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif
`;

const FOOT = `#ifdef __cplusplus
}
#endif
`;

/** Calls of functions of the same program or library need no table of addresses then. */
const HIDDEN = [
  "#ifdef __GNUC__\n#pragma GCC visibility push(hidden)\n#endif\n\n",
  "\n#ifdef __GNUC__\n#pragma GCC visibility pop\n#endif\n",
] as const;

/** What a header is called, its file without the ending and a C identifier, and who may link to what it declares. */
export interface HeaderOptions {
  readonly name: string;
  readonly guard: string;
  readonly visibility: Visibility;
}

/** Prototypes and constants for C99 and C++11. */
export function cHeader(types: readonly CompiledType[], { name, guard, visibility }: HeaderOptions): string {
  const macro = `STOWAGE_COMPILED_${guard.toUpperCase()}_H`;
  const comment = [...exampleOf(types, name), ...CONTRACT].map((line) => ` * ${line}`.trimEnd());
  const head = `/* Written by stowage compile.\n *\n${comment.join("\n")}\n */\n`;
  const open = `#ifndef ${macro}\n#define ${macro}\n\n#include <stdint.h>\n\n${HEAD}`;
  const [push, pop] = visibility === "hidden" ? HIDDEN : ["", ""];
  return `${head}${open}\n${push}${types.map(declarations).join("\n")}${pop}\n${FOOT}\n#endif\n`;
}

/** A program of the first type, which compiles as it is printed. */
function exampleOf([first]: readonly CompiledType[], name: string): readonly string[] {
  if (first === undefined) return [];
  const { symbol } = first;
  return [
    "A program that packs one element and unpacks it again:",
    "",
    ...[
      `#include "${name}.h"`,
      "#include <stdlib.h>",
      "",
      "int main(void) {",
      `  char *memory = (char *)calloc(${symbol}_true_extent + 1, 1), *packed = (char *)malloc(${symbol}_size + 1);`,
      "  if (!memory || !packed) return 1;",
      `  char *element = memory - ${symbol}_true_lower_bound; // where the datatype's address 0 lies`,
      `  ${symbol}_pack(element, packed, 1, 0, ${symbol}_size);`,
      `  ${symbol}_unpack(packed, element, 1, 0, ${symbol}_size);`,
      "  free(packed);",
      "  free(memory);",
      "}",
    ].map((line) => `  ${line}`),
    "",
  ];
}

function declarations(type: CompiledType): string {
  const { symbol, datatype, copiesTo } = type;
  const comment = [
    `${symbol}: ${signatureText(datatype)}`,
    ...documentLines(datatype),
    ...(copiesTo === undefined
      ? []
      : [`${symbol}_copy goes to elements ${extentOf(copiesTo)} bytes apart:`, ...documentLines(copiesTo)]),
  ];
  const constants = constantsOf(type).map(([name, value]) => `#define ${symbol}_${name} INT64_C(${value})\n`);
  const signature = `#define ${symbol}_signature ${JSON.stringify(signatureText(datatype))}\n`;
  const names = copiesTo === undefined ? ["pack", "unpack"] : ["pack", "unpack", "copy"];
  const prototypes = names.map((name) => `void ${symbol}_${name}(${PARAMETERS});\n`);
  const elements = ["pack", "unpack"].map((name) => elementFunction(type, name));
  return `/* ${comment.join("\n * ")}\n */\n${constants.join("")}${signature}${prototypes.join("")}${elements.join("")}`;
}

/** One whole element: code of its own where that is shorter than asking for count and range. */
function elementFunction({ symbol, layout }: CompiledType, name: string): string {
  const head = `void ${symbol}_${name}_element(const void *STOWAGE_RESTRICT source, void *STOWAGE_RESTRICT target)`;
  if (layout.sizeBytes <= MOST_ELEMENT_BYTES) return `${head};\n`;
  return `static inline ${head} {\n  ${symbol}_${name}(source, target, 1, 0, ${symbol}_size);\n}\n`;
}

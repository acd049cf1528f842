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

/** Prototypes and constants for C99 and C++11. `guard` is a C identifier. */
export function cHeader(types: readonly CompiledType[], guard: string): string {
  const macro = `STOWAGE_COMPILED_${guard.toUpperCase()}_H`;
  const head = `/* Written by stowage compile.\n *\n${CONTRACT.map((line) => ` * ${line}\n`).join("")} */\n`;
  const open = `#ifndef ${macro}\n#define ${macro}\n\n#include <stdint.h>\n\n${HEAD}`;
  return `${head}${open}\n${types.map(declarations).join("\n")}\n${FOOT}\n#endif\n`;
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

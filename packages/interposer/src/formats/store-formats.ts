import { cConstants, cName, cRecords } from "@stowage/compile";
import { RECORDING_SCHEMA, TRAFFIC_COUNTS } from "./recording-format.js";
import { SERVICE_FORMAT } from "./service-format.js";

/** c/store/store-formats.h: what the library in C tells the service and recordings. A test compares the two. */
export const storeFormats =
  (): string => `/* Made of the tables of TypeScript: \`npx vitest run packages/interposer/tests/formats -u\`. What a rank and the
 * compile service say to each other, and what a recording holds. */
/* clang-format off */
#ifndef STOWAGE_STORE_FORMATS_H
#define STOWAGE_STORE_FORMATS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* --- The service: packages/interposer/src/formats/service-format.ts --- */

${cConstants("SERVICE", SERVICE_FORMAT.constants)}
${cRecords([SERVICE_FORMAT.question, SERVICE_FORMAT.answer])}
/* --- Recordings: packages/interposer/src/formats/recording-format.ts --- */

#define RECORDING_SCHEMA "${RECORDING_SCHEMA}"

/* Each count of messages of one direction, by its names in C and in a recording. */
#define EACH_TRAFFIC_COUNT(count) \\
${TRAFFIC_COUNTS.map((name) => `  count(${cName(name)}, "${name}")`).join(" \\\n")}

#endif
`;

import { cConstants, cName, cRecords } from "@stowage/compile";
import { RECORDING_SCHEMA, TRAFFIC_COUNTS } from "./recording-format.js";
import { SERVICE_FORMAT } from "./service-format.js";

const MADE = "Made of the tables of TypeScript: `npx vitest run packages/interposer/tests/formats -u`.";

/** c/code/service-formats.h of libstowage: what a process and the compile service say to each other. */
export const serviceHeader = (): string => `/* ${MADE} What a process and the
 * compile service say to each other: packages/interposer/src/formats/service-format.ts */
/* clang-format off */
#ifndef STOWAGE_SERVICE_FORMATS_H
#define STOWAGE_SERVICE_FORMATS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

${cConstants("SERVICE", SERVICE_FORMAT.constants)}
${cRecords([SERVICE_FORMAT.question, SERVICE_FORMAT.answer])}
#endif
`;

/** c/store/recording-formats.h: what a recording holds. */
export const recordingHeader = (): string => `/* ${MADE} What a recording
 * holds: packages/interposer/src/formats/recording-format.ts */
/* clang-format off */
#ifndef STOWAGE_RECORDING_FORMATS_H
#define STOWAGE_RECORDING_FORMATS_H

#define RECORDING_SCHEMA "${RECORDING_SCHEMA}"

/* Each count of messages of one direction, by its names in C and in a recording. */
#define EACH_TRAFFIC_COUNT(count) \\
${TRAFFIC_COUNTS.map((name) => `  count(${cName(name)}, "${name}")`).join(" \\\n")}

#endif
`;

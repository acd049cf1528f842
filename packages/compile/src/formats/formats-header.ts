import {
  CONTAINER_RECORDS,
  CONTAINER_VERSION,
  DESCRIPTION_KINDS,
  DESCRIPTION_NODE,
  FRAMES_ALIGNMENT,
} from "@stowage/backend-api";
import { X64_FORMAT_VERSION } from "@stowage/backend-x64";
import { GPU_FORMAT } from "../ptx/gpu-code.js";
import { cConstants, cRecords } from "./c-records.js";
import { launchRecords } from "./launch-records.js";

/** runtime/formats.h: what is stored or told in places that C and TypeScript both know. A test compares the two. */
export const formatsHeader =
  (): string => `/* Made of the tables of TypeScript: \`npx vitest run packages/compile/tests/formats -u\`. Records that C and
 * TypeScript both read: names, widths, places. All numbers are little-endian. */
/* clang-format off */
#ifndef STOWAGE_FORMATS_H
#define STOWAGE_FORMATS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "byte order: expected a little-endian machine, as artifacts are for"
#endif

/* --- Artifacts: packages/backend-api/src/container/format.ts --- */

${cConstants("ARTIFACT", {
  version: CONTAINER_VERSION,
  x64Version: X64_FORMAT_VERSION,
  framesAlignment: FRAMES_ALIGNMENT,
})}
${cRecords(Object.values(CONTAINER_RECORDS))}
/* --- Descriptions of datatypes: packages/backend-api/src/type-key/describe-type.ts --- */

${cConstants("DESCRIPTION", DESCRIPTION_KINDS)}
${cRecords([DESCRIPTION_NODE])}
${launchRecords()}
/* --- Kernels for GPUs in an artifact: packages/compile/src/ptx/gpu-code.ts --- */

${cConstants("GPU", GPU_FORMAT.constants)}
${cRecords(GPU_FORMAT.records)}
#endif
`;

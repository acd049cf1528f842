import { recordFormat } from "@stowage/backend-api/record-format";

const KEY_BYTES = 16;

/**
 * What a rank and the compile service of its node say to each other, through a socket of one machine;
 * c/code/service-formats.h of libstowage is made of it.
 */
export const SERVICE_FORMAT = {
  constants: {
    version: 1,
    keyBytes: KEY_BYTES,
    /** What became of a question. */
    stored: 0,
    refused: 1,
  },
  question: recordFormat("service_question", "A rank asks for code; the description follows.", [
    ["length", "u32", "of the description"],
    ["version", "u32", "of the protocol"],
    ["key", "u8", "of the description, by the rank", { count: KEY_BYTES }],
  ]),
  answer: recordFormat("service_answer", "What became of a question.", [
    ["key", "u8", "the question's", { count: KEY_BYTES }],
    ["status", "u32", "SERVICE_STORED or SERVICE_REFUSED"],
    ["zero", "u32", ""],
  ]),
} as const;

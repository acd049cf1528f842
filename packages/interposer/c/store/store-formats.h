/* Made of the tables of TypeScript: `npx vitest run packages/interposer/tests/formats -u`. What a rank and the
 * compile service say to each other, and what a recording holds. */
/* clang-format off */
#ifndef STOWAGE_STORE_FORMATS_H
#define STOWAGE_STORE_FORMATS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

/* --- The service: packages/interposer/src/formats/service-format.ts --- */

enum {
  SERVICE_VERSION = 1,
  SERVICE_KEY_BYTES = 16,
  SERVICE_STORED = 0,
  SERVICE_REFUSED = 1
};

/* A rank asks for code; the description follows. */
struct service_question {
  uint32_t length; /* of the description */
  uint32_t version; /* of the protocol */
  uint8_t key[16]; /* of the description, by the rank */
};
static_assert(sizeof(struct service_question) == 24, "service_question");
static_assert(offsetof(struct service_question, length) == 0, "service_question.length");
static_assert(offsetof(struct service_question, version) == 4, "service_question.version");
static_assert(offsetof(struct service_question, key) == 8, "service_question.key");

/* What became of a question. */
struct service_answer {
  uint8_t key[16]; /* the question's */
  uint32_t status; /* SERVICE_STORED or SERVICE_REFUSED */
  uint32_t zero;
};
static_assert(sizeof(struct service_answer) == 24, "service_answer");
static_assert(offsetof(struct service_answer, key) == 0, "service_answer.key");
static_assert(offsetof(struct service_answer, status) == 16, "service_answer.status");
static_assert(offsetof(struct service_answer, zero) == 20, "service_answer.zero");

/* --- Recordings: packages/interposer/src/formats/recording-format.ts --- */

#define RECORDING_SCHEMA "stowage-recording/1"

/* Each count of messages of one direction, by its names in C and in a recording. */
#define EACH_TRAFFIC_COUNT(count) \
  count(messages, "messages") \
  count(bytes, "bytes") \
  count(our_messages, "ourMessages") \
  count(our_bytes, "ourBytes") \
  count(pack_ns, "packNs") \
  count(our_pack_ns, "ourPackNs") \
  count(call_ns, "callNs")

#endif

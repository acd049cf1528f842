/* Made of the tables of TypeScript: `npx vitest run packages/interposer/tests/formats -u`. What a process and the
 * compile service say to each other: packages/interposer/src/formats/service-format.ts */
/* clang-format off */
#ifndef STOWAGE_SERVICE_FORMATS_H
#define STOWAGE_SERVICE_FORMATS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

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

#endif

#define _GNU_SOURCE 1
#include "staged-option.h"

#include "say.h"

#include <stdlib.h>
#include <string.h>

enum staged_option staged_option(void) {
  static const char *const words[] = {"off", "on", "measured"};
  const char *word = secure_getenv("STOWAGE_STAGED");
  if (word == NULL || *word == '\0') return STAGED_OFF;
  for (int i = STAGED_OFF; i <= STAGED_MEASURED; i++)
    if (strcmp(word, words[i]) == 0) return (enum staged_option)i;
  SAY_ONCE("STOWAGE_STAGED: expected off, on or measured, got %s: off", word);
  return STAGED_OFF;
}

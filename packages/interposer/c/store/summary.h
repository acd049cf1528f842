/* What a process's messages came to, for `stowage run`, which says at its end where none of a side was ours: a line of
 * JSON for each process, appended to the file that STOWAGE_SUMMARY names. */
#ifndef STOWAGE_SUMMARY_H
#define STOWAGE_SUMMARY_H

#include <stdint.h>

struct summary_side {
  uint64_t ours, native;
  /* Why messages of this side are native, in words that need no escape; NULL: their types have no code. */
  const char *why;
};

/* `unseen`: types that are not contiguous were committed, and nothing counts their messages. Nothing where no file is
 * named, or it is not there, as on other nodes. */
void summary_append(const struct summary_side *sent, const struct summary_side *received, int unseen);

/* Whether a file is named. */
int summary_wanted(void);

#endif

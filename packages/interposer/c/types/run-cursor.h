/* A walk over elements' contiguous runs (element-runs.h), in packed order. */
#ifndef STOWAGE_RUN_CURSOR_H
#define STOWAGE_RUN_CURSOR_H

#include "element-runs.h"

struct run_cursor {
  const struct run_group *groups;
  /* Groups of an element, and elements; where the first one's address 0 lies, and how far apart they are. */
  uint64_t group_count, elements, first, extent;
  /* Where it is: `passed` bytes of a run are behind it. */
  uint64_t element, group, run, passed;
};

/* Where the rest of its run lies, and how long that is. 0: there is none, or the list is no list. */
static inline int cursor_at(const struct run_cursor *c, uint64_t *at, uint64_t *length) {
  if (c->element == c->elements || c->group_count == 0) return 0;
  const struct run_group *g = &c->groups[c->group];
  *at = c->first + c->element * c->extent + (uint64_t)g->offset + c->run * (uint64_t)g->stride + c->passed;
  *length = g->length - c->passed;
  return c->passed < g->length && c->run < g->count;
}

/* So many bytes of its run are over. */
static inline void cursor_pass(struct run_cursor *c, uint64_t bytes) {
  const struct run_group *g = &c->groups[c->group];
  if ((c->passed += bytes) < g->length) return;
  c->passed = 0;
  if (++c->run < g->count) return;
  c->run = 0;
  if (++c->group < c->group_count) return;
  c->group = 0;
  c->element++;
}

#endif

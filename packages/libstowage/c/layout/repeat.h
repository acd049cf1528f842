/* The loop that moves copies of a node whole: chosen once, when the node is made. */
#ifndef STOWAGE_REPEAT_H
#define STOWAGE_REPEAT_H

#include "layout.h"

repeat_function repeat_of(const struct node *node, enum way way);

/* Some bytes; short ones without a call. */
void move_bytes(unsigned char *target, const unsigned char *source, int64_t length);

/* The loop of a node in words, for a person. */
const char *loop_name(const struct node *node);

#endif

/* One line on standard error, where STOWAGE_VERBOSE asks for lines, or where a process ends. Nothing else of ours is
 * ever printed in a rank. */
#ifndef STOWAGE_SAY_H
#define STOWAGE_SAY_H

#include <stdatomic.h>

/* Printed as "stowage: TEXT", in one write. Nothing where STOWAGE_VERBOSE is unset, empty or 0. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends a process that cannot go on: others would wait for it, or bytes be lost. "stowage: no memory for WHAT: the
 * process ends", whether lines are asked for or not. */
_Noreturn void end_without_memory(const char *what);

/* Says a line at most once in a process for each place in the source. */
#define SAY_ONCE(...)                                       \
  do {                                                      \
    static atomic_flag said = ATOMIC_FLAG_INIT;             \
    if (!atomic_flag_test_and_set(&said)) say(__VA_ARGS__); \
  } while (0)

#endif

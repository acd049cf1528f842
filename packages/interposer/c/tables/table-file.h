/* A small table of this machine, which `stowage run` makes of the machine's profile: a file that an environment
 * variable names, or that lies beside compiled code. It has a head, then lines of words; `#` begins a comment. */
#ifndef STOWAGE_TABLE_FILE_H
#define STOWAGE_TABLE_FILE_H

#include <stddef.h>

enum { TABLE_WORDS = 5 };

struct table_file {
  /* The variable that may name it; NULL: none may. */
  const char *variable;
  /* Its name beside code, up to a dash and the MPI's name. */
  const char *name;
  /* Its first line. */
  const char *head;
  /* Takes the words of a line; those behind the last are NULL. Whether they are of such a table. */
  int (*take)(void *table, char *const words[TABLE_WORDS]);
};

/* Whether there is one, read whole into `table`. Where another user may have written it, and where a line is wrong, one
 * line on standard error says so. */
int table_file_read(const struct table_file *, void *table);

/* A word of digits alone. */
int table_number(const char *word, size_t *value);

#endif

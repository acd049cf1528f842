/* Memory that processes of one user share, by files without a name (memfd_create(2)): nobody finds one but by the
 * process that has it open (proc(5)), and nothing is left behind of it. */
#ifndef STOWAGE_NAMELESS_FILE_H
#define STOWAGE_NAMELESS_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* One of so many bytes for good, of which none are there yet. `name` is what the system shows. -1: it gives none. */
int nameless_make(const char *name, size_t bytes);
/* Has those bytes there, so that no write meets a page that the system cannot give (posix_fallocate). 0: it cannot. */
int nameless_allocate(int file, size_t from, size_t bytes);
/* Maps its first bytes, to be written too or to be read alone. NULL: it cannot be. */
void *nameless_map(int file, size_t bytes, int protection);

/* One of a process that it has under a name, among its open files; -1: there is none that this one may open. `bytes`
 * gets its length. */
int nameless_open(pid_t process, const char *name, int flags, size_t *bytes);
/* The same, of a number. */
int nameless_open_number(pid_t process, int number, const char *name, int flags, size_t *bytes);

#endif

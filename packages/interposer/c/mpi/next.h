/* The functions that this library stands in front of. */
#ifndef STOWAGE_NEXT_H
#define STOWAGE_NEXT_H

#include <stddef.h>

/* The function of this name behind ours: the next library's in the order of the loader, else that of any library that
 * was loaded since, whose symbols may be private to it (an MPI that Python loaded). NULL: none. */
void *next_function(const char *name);

/* Asks another library of ours, which loaded this one and whose names the program calls, what is behind it. */
void next_from(void *(*source)(const char *name));

/* An object of this name, where the MPI itself finds it: in the program, if the linker copied it there. NULL: none. */
void *shared_object(const char *name);

/* What a function above finds by a name, asked of it once. */
#define LOOKED_UP(finds, name)                                 \
  __extension__({                                              \
    static void *found_;                                       \
    void *known_ = __atomic_load_n(&found_, __ATOMIC_RELAXED); \
    if (known_ == NULL) {                                      \
      known_ = finds(name);                                    \
      __atomic_store_n(&found_, known_, __ATOMIC_RELAXED);     \
    }                                                          \
    known_;                                                    \
  })

/* A function of the type that its declaration says. */
#define NEXT(function) ((__typeof__(function) *)LOOKED_UP(next_function, #function))

#endif

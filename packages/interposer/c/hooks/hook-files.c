/* MPI-IO: the side in memory of reads and writes. */
#include <mpi.h>

#include "buffer.h"
#include "counted.h"
#include "hook.h"
#include "mode.h"
#include "representation.h"
#include "route-access.h"

/* An MPICH that was built without ROMIO declares no call with a file. */
#if !defined(MPICH_VERSION) || defined(ROMIO_VERSION)

/* OMPIO has a convertor tell it of a view's runs: that is no message, native or ours. */
HOOKED(File_set_view,
       (MPI_File file, MPI_Offset at, MPI_Datatype etype, MPI_Datatype filetype, const char *name, MPI_Info info),
       (file, at, etype, filetype, name, info)) {
  mode_compares = 1;
  const int status = BEHIND(next(file, at, etype, filetype, name, info));
  mode_compares = 0;
  if (status == MPI_SUCCESS) representation_set(file, name);
  return status;
}

/* Before the call: behind it, another thread may have been given the same handle. */
HOOKED(File_close, (MPI_File * file), (file)) {
  if (file != NULL) representation_forget(*file);
  return BEHIND(next(file));
}

static int begin(struct access *access, MPI_File file, enum stowage_direction direction, const void *user,
                 MPI_Count count, MPI_Datatype type) {
  return !lies_on_device(user, count, type) && access_begin(access, file, direction, user, count, type);
}

/* A call has an offset in the file, or goes on where the last one ended; it reads, or it writes. */
#define OFFSET_AT MPI_Offset at,
#define GIVEN_AT at,
#define OFFSET_ON
#define GIVEN_ON
#define TOWARDS_READ STOWAGE_UNPACK
#define USER_READ void *user
#define TOWARDS_WRITE STOWAGE_PACK
#define USER_WRITE const void *user

/* --- Over when the call returns --- */

#define ACCESSES(suffix, counts, places, name, where, way)                                                 \
  HOOKED(File_##name##suffix,                                                                              \
         (MPI_File file, OFFSET_##where USER_##way, counts count, MPI_Datatype type, MPI_Status * status), \
         (file, GIVEN_##where user, count, type, status)) {                                                \
    struct access own;                                                                                     \
    MPI_Status ours = {0}, *told = status == MPI_STATUS_IGNORE ? &ours : status;                           \
    if (!begin(&own, file, TOWARDS_##way, user, count, type))                                              \
      return BEHIND(next(file, GIVEN_##where user, count, type, status));                                  \
    return access_over(&own, BEHIND(next(file, GIVEN_##where own.packed, count, own.type, told)), told);   \
  }

#define ACCESSES_BOTH(reads, writes, where) \
  EACH_COUNT(ACCESSES, reads, where, READ)  \
  EACH_COUNT(ACCESSES, writes, where, WRITE)

ACCESSES_BOTH(read, write, ON)
ACCESSES_BOTH(read_at, write_at, AT)
ACCESSES_BOTH(read_all, write_all, ON)
ACCESSES_BOTH(read_at_all, write_at_all, AT)
ACCESSES_BOTH(read_shared, write_shared, ON)
ACCESSES_BOTH(read_ordered, write_ordered, ON)

/* --- Over when their request is --- */

#define STARTS(suffix, counts, places, name, where, way)                                                      \
  HOOKED(File_##name##suffix,                                                                                 \
         (MPI_File file, OFFSET_##where USER_##way, counts count, MPI_Datatype type, MPI_Request * request),  \
         (file, GIVEN_##where user, count, type, request)) {                                                  \
    struct access own;                                                                                        \
    struct operation *operation;                                                                              \
    if (!begin(&own, file, TOWARDS_##way, user, count, type))                                                 \
      return BEHIND(next(file, GIVEN_##where user, count, type, request));                                    \
    if (!access_operation(&own, &operation)) {                                                                \
      access_free(&own);                                                                                      \
      return BEHIND(next(file, GIVEN_##where user, count, type, request));                                    \
    }                                                                                                         \
    return operation_began(operation, BEHIND(next(file, GIVEN_##where own.packed, count, own.type, request)), \
                           request);                                                                          \
  }

#define STARTS_BOTH(reads, writes, where) \
  EACH_COUNT(STARTS, reads, where, READ)  \
  EACH_COUNT(STARTS, writes, where, WRITE)

STARTS_BOTH(iread, iwrite, ON)
STARTS_BOTH(iread_at, iwrite_at, AT)
STARTS_BOTH(iread_all, iwrite_all, ON)
STARTS_BOTH(iread_at_all, iwrite_at_all, AT)
STARTS_BOTH(iread_shared, iwrite_shared, ON)

/* --- Split: over when the call is that ends them --- */

static int begin_split(struct access *access, MPI_File file, enum stowage_direction direction, const void *user,
                       MPI_Count count, MPI_Datatype type) {
  if (!begin(access, file, direction, user, count, type)) return 0;
  if (access_keep(access, file)) return 1;
  access_free(access);
  return 0;
}

/* The MPI's call that begins it returned with a status. */
static int began_split(MPI_File file, int status) {
  struct access own;
  if (status != MPI_SUCCESS && access_kept(&own, file)) access_free(&own);
  return status;
}

#define BEGINS(suffix, counts, places, name, where, way)                                                           \
  HOOKED(File_##name##_begin##suffix, (MPI_File file, OFFSET_##where USER_##way, counts count, MPI_Datatype type), \
         (file, GIVEN_##where user, count, type)) {                                                                \
    struct access own;                                                                                             \
    if (!begin_split(&own, file, TOWARDS_##way, user, count, type))                                                \
      return BEHIND(next(file, GIVEN_##where user, count, type));                                                  \
    return began_split(file, BEHIND(next(file, GIVEN_##where own.packed, count, own.type)));                       \
  }

#define ENDS(name, way)                                                                               \
  HOOKED(File_##name##_end, (MPI_File file, USER_##way, MPI_Status * status), (file, user, status)) { \
    struct access own;                                                                                \
    MPI_Status ours = {0}, *told = status == MPI_STATUS_IGNORE ? &ours : status;                      \
    if (!access_kept(&own, file)) return BEHIND(next(file, user, status));                            \
    return access_over(&own, BEHIND(next(file, own.packed, told)), told);                             \
  }

#define SPLITS(name, where, way)       \
  EACH_COUNT(BEGINS, name, where, way) \
  ENDS(name, way)

SPLITS(read_all, ON, READ)
SPLITS(write_all, ON, WRITE)
SPLITS(read_at_all, AT, READ)
SPLITS(write_at_all, AT, WRITE)
SPLITS(read_ordered, ON, READ)
SPLITS(write_ordered, ON, WRITE)

#endif

/* Open MPI's convertor (opal/datatype/opal_convertor.h) as its releases lay it out on 64-bit machines, built without
 * debugging. The structure is private: a release says which layout to expect, and the self-test finds out whether it is
 * that before anything is changed. */
#ifndef STOWAGE_CONVERTOR_LAYOUT_H
#define STOWAGE_CONVERTOR_LAYOUT_H

#include "exported.h"

#include <stddef.h>
#include <stdint.h>

/* Where a field lies, in bytes. */
typedef uint16_t convertor_field;

struct convertor_release {
  int major, least_minor, most_minor;
  /* Types whose contiguous runs have that many bytes in the mean are left to the MPI, which copies them as fast
   * (docs/notes/2026-11-28-every-mpi.md). */
  size_t long_run_bytes;
};

struct convertor_layout {
  /* Releases that have this layout. */
  struct convertor_release releases[4];
  convertor_field flags, local_size, remote_size, datatype, count, user, stack_size, stack;
  convertor_field advance;
  /* The function that sets the position; 0: there is none, but opal_convertor_set_position_nocheck. */
  convertor_field place;
  convertor_field partial_length;
  /* The position in the packed stream. */
  convertor_field converted;
  /* Room for the native position of small types, CONVERTOR_ROOM bytes, which the MPI makes anew where it needs it. */
  convertor_field room;
  /* Flags. */
  uint32_t send, homogeneous, no_op, completed;
  /* That of one which is not homogeneous, whose `remote_size` is known: how much its receive expects. */
  uint32_t remote_sized;
  /* Its position goes as far as that too; else as `local_size`. */
  int goes_as_expected;
  /* Those of messages that are not for code of the processor: checksums, memory of accelerators. */
  uint32_t not_ours;
};

enum { CONVERTOR_ROOM = 120, CONVERTOR_STATIC_STACK = 5 };

/* What each prepared message is asked for, contiguous ones too: constants, for the instructions that a load costs. */
enum {
  FLAGS_TO_5 = 20,
  NO_OP_TO_5 = 0x00100000,
  COMPLETED_TO_5 = 0x08000000,
  FLAGS_FROM_6 = 112,
  NO_OP_FROM_6 = 0x02000000,
  COMPLETED_FROM_6 = 0x04000000
};

extern const struct convertor_layout convertor_layout_to_5, convertor_layout_from_6;

/* That of this process's MPI. NULL: it is another MPI, or a release that is not known. Set before any convertor passes
 * here. */
HIDDEN extern const struct convertor_layout *convertor_layout;

/* Of its release. */
HIDDEN extern size_t convertor_long_run_bytes;

/* Finds both by what the MPI says of itself, which it does before MPI_Init too. 0: there is none. */
int convertor_layout_find(void);

#endif

#include <mpi.h>

#include "lower-halves.h"
#ifdef HAS_CONVERTORS

#include "convertor-layout.h"

#include "next.h"

#include <stdio.h>

/* 5.0 has other fields behind the room, which nothing here reads, and other names for the flags of accelerators. */
const struct convertor_layout convertor_layout_to_5 = {
    .releases = {{4, 0, 1, 16384}, {5, 0, 0, 1536}},
    .flags = FLAGS_TO_5,
    .local_size = 24,
    .remote_size = 32,
    .datatype = 40,
    .count = 56,
    .stack_size = 64,
    .user = 72,
    .stack = 80,
    .advance = 88,
    .partial_length = 112,
    .converted = 120,
    .room = 144,
    .send = 0x00040000,
    .homogeneous = 0x00080000,
    .no_op = NO_OP_TO_5,
    .completed = COMPLETED_TO_5,
    .remote_sized = 0x20000000,
    .not_ours = 0x00200000 | 0x00400000 | 0x00800000 | 0x10000000,
};

/* Checksums are gone; the positioner is a field beside the function that advances. */
const struct convertor_layout convertor_layout_from_6 = {
    .releases = {{6, 0, 0, 2048}},
    .datatype = 16,
    .count = 32,
    .remote_size = 40,
    .advance = 56,
    .converted = 64,
    .partial_length = 72,
    .local_size = 80,
    .user = 88,
    .stack = 96,
    .flags = FLAGS_FROM_6,
    .stack_size = 120,
    .place = 136,
    .room = 144,
    .send = 0x00800000,
    .homogeneous = 0x01000000,
    .no_op = NO_OP_FROM_6,
    .completed = COMPLETED_FROM_6,
    .remote_sized = 0x08000000,
    .goes_as_expected = 1,
    .not_ours = 0x00100000 | 0x10000000 | 0x20000000 | 0x40000000,
};

const struct convertor_layout *convertor_layout = NULL;
size_t convertor_long_run_bytes = SIZE_MAX;

static void choose_if_of(const struct convertor_layout *layout, int major, int minor) {
  for (size_t i = 0; i < sizeof layout->releases / sizeof *layout->releases; i++) {
    const struct convertor_release *release = &layout->releases[i];
    if (release->major != major || minor < release->least_minor || minor > release->most_minor) continue;
    convertor_layout = layout;
    convertor_long_run_bytes = release->long_run_bytes;
  }
}

int convertor_layout_find(void) {
  static const struct convertor_layout *const all[] = {&convertor_layout_to_5, &convertor_layout_from_6};
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length, major, minor;
  convertor_layout = NULL;
  if (NEXT(PMPI_Get_library_version)(text, &length) != MPI_SUCCESS) return 0;
  if (sscanf(text, "Open MPI v%d.%d", &major, &minor) != 2) return 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) choose_if_of(all[i], major, minor);
  return convertor_layout != NULL;
}
#endif

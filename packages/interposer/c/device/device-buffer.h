/* A buffer of a call that lies on a device, and its packed bytes in memory of the host, which the MPI gets in its stead. */
#ifndef STOWAGE_DEVICE_BUFFER_H
#define STOWAGE_DEVICE_BUFFER_H

#include "device-context.h"
#include "device-staging.h"
#include "device-type.h"
#include "device-watch.h"

struct device_buffer {
  /* Where the type's address 0 lies. */
  unsigned char *user;
  size_t count, bytes;
  /* The program's handle; one of our own, where the buffer outlives the call that it came with. */
  MPI_Datatype type;
  int owns_type;
  /* It outlives the call that it came with: what it leads to is asked again when it is moved. */
  int is_kept;
  struct device_type facts;
  struct device_place place;
  struct device_staging *staging;
  /* Of the packed stream: where these elements begin in the staging memory of the buffer that holds them. */
  unsigned char *packed;
};

/* Whether the elements at an address lie on a device; the buffer has no memory yet. Empty messages do not. */
int device_lies(const void *user, MPI_Count count, MPI_Datatype type, struct device_buffer *buffer);
/* The same, but for what an MPI that knows GPUs takes itself. */
int device_takes(const void *user, MPI_Count count, MPI_Datatype type, struct device_buffer *buffer);

/* Each gives MPI_SUCCESS or an error's class, which has been told in one line. */
enum { DEVICE_TAKEN = 1 };

/* Takes memory of the host for the buffer's packed bytes. */
int device_stage(struct device_buffer *buffer);
/* Gives it back, and the type. Nothing may be using it. */
void device_release(struct device_buffer *buffer);
/* The type's handle is kept until the buffer is released: the program may free its own. */
int device_keep_type(struct device_buffer *buffer);

/* Packs buffers into their staging memory: done when it returns. Equal devices share launches. */
int device_pack(struct device_buffer *const buffers[], size_t count);
/* Unpacks the first bytes[i] bytes of each. A buffer that does not lie on a device any more is an error. */
int device_unpack(struct device_buffer *const buffers[], const size_t bytes[], size_t count);

/* Raises an error of a class on a communicator, as the MPI would. */
int device_raise(MPI_Comm communicator, int class);

#endif

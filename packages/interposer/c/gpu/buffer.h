/* A buffer of a call that lies on a device, and its packed bytes in memory of the host, which the MPI gets in its stead. */
#ifndef STOWAGE_GPU_BUFFER_H
#define STOWAGE_GPU_BUFFER_H

#include "context.h"
#include "placeholder.h"
#include "staging.h"
#include "type.h"
#include "watch.h"

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
  /* Where the packed bytes lie on a device instead: in an arena, for as long as a message takes. 0: in the staging memory. */
  stowage_device_address far;
  /* What the MPI gets in place of the program's buffer. */
  struct {
    void *memory;
    int count;
    MPI_Datatype type;
  } given;
  /* Of a message whose bytes the MPI need not carry, or asks us for. */
  struct device_envelope *envelope;
  /* Of one that goes by way of the host in pieces (route-pipelined.h). */
  struct device_pipeline *pipeline;
  /* Of a sent one: its packing has not begun; nothing of it is read any more. */
  int is_pending, is_packed;
  /* An offer that was fetched, until it is answered. */
  struct device_offer offered;
  int is_offered;
  /* A send that the MPI copies into memory which the program attached, or another that MPICH takes past UCX's datatypes, whole. */
  int is_whole;
  /* It lies on the host, where an offer may come. */
  int is_host;
};

/* Whether the MPI says that it takes device memory itself. */
int device_mpi_knows(void);

/* Whether the elements at an address lie on a device; the buffer has no memory yet. Empty messages do not. */
int device_lies(const void *user, MPI_Count count, MPI_Datatype type, struct device_buffer *buffer);
/* The same, but for what an MPI that knows GPUs takes itself. */
int device_takes(const void *user, MPI_Count count, MPI_Datatype type, struct device_buffer *buffer);

/* Whether the MPI hands on messages of a communicator whole: MPICH, among one process. */
int device_is_whole_among(MPI_Comm communicator);

/* Each gives MPI_SUCCESS or an error's class, which has been told in one line. */
enum { DEVICE_TAKEN = 1 };

/* Whether the buffer is packed by a launch or a copy of the driver, not run by run. */
int device_is_launched(const struct device_buffer *buffer);

/* Takes memory of the host for the buffer's packed bytes. */
int device_stage(struct device_buffer *buffer);
/* Has the MPI given an envelope: of bytes that lie, or will, in memory of the host; NULL: of none. 0: it cannot be made. */
int device_make_envelope(struct device_buffer *buffer, unsigned char *memory, int is_sender);
/* Gives it back, and the type. Nothing may be using it. */
void device_release(struct device_buffer *buffer);
/* The type's handle is kept until the buffer is released: the program may free its own. */
int device_keep_type(struct device_buffer *buffer);

/* Packs buffers into their staging memory: done when it returns. Equal devices share launches. */
int device_pack(struct device_buffer *const buffers[], size_t count);
/* What the device writes, and where, when a buffer is packed. */
struct device_flag {
  stowage_device_address address;
  uint32_t value;
};
/* Packs up to 64 buffers of one context into device memory in the order of our stream, by one launch, and then has the device write a flag
 * for each: not done when it returns. */
int device_pack_later(struct device_buffer *const buffers[], const struct device_flag flags[], size_t count);
/* Whether it still lies on its device. */
int device_is_there(const struct device_buffer *buffer);
/* Waits for all that was begun in the buffer's context. 0 or the driver's result. */
int device_synchronise(const struct device_buffer *buffer);
/* Unpacks the first bytes[i] bytes of each. A buffer that does not lie on a device any more is an error. */
int device_unpack(struct device_buffer *const buffers[], const size_t bytes[], size_t count);

/* Tells a result of the driver in one line, and gives its class. */
int device_failed(const char *what, int result);
/* Raises an error of a class on a communicator, as the MPI would. */
int device_raise(MPI_Comm communicator, int class);

#endif

/* A message whose buffer lies on a device, and the ways that one may go. A way is a table of operations, as UCX's and
 * libfabric's transports are; what it keeps of a message is its own. docs/guide/6-add-a-route.md adds one. */
#ifndef STOWAGE_ROUTE_H
#define STOWAGE_ROUTE_H

#include "buffer.h"
#include "move.h"
#include "placeholder.h"
#include "types.h"

struct route;
struct way_choice;

struct message {
  struct gpu_buffer buffer;
  enum stowage_direction direction; /* STOWAGE_PACK: it is sent */
  /* The call: with whom, and how. */
  int peer;
  MPI_Comm communicator;
  int is_waited_for, is_persistent;
  /* Its request's status says no bytes: all of them arrive, or none. */
  int is_whole;
  /* It cannot be cancelled, and its request's status need not say whether it was (Open MPI 5.0's files say anything).
   */
  int is_never_cancelled;
  /* The MPI copies it into memory that the program attached, or does not tell of its communicator. */
  int is_taken_whole;
  /* What the MPI gets in place of the program's buffer; a placeholder is its memory, or NULL. */
  struct {
    void *memory;
    MPI_Count count;
    MPI_Datatype type;
    struct placeholder *placeholder;
  } given;
  /* What packs it in memory of the host (staged-message.h); of other messages it is empty. */
  struct type_code code;
  /* Where its time in the program's calls is measured (way-choice.h), and that time; NULL: it is not. */
  struct way_choice *choice;
  int64_t call_ns, spent_ns;
  const struct route *route;
  /* The route's. */
  void *state;
};

/* In place of MPI_SUCCESS or a class: nothing was done, and another way has to be found. Classes are positive. */
enum { ROUTE_NOT_NOW = -1 };

/* Lists are of at most MOST_MOVES messages of this route and of one direction. Classes have been told in one line. */
struct route {
  const char *name;
  /* Whether the message may go so: by its buffer, its peer and its call. */
  int (*supports)(const struct message *);
  /* Takes what the message needs, and says what the MPI is given; of a send that is no persistent one its memory may be
   * said where it begins. MPI_SUCCESS, a class, or ROUTE_NOT_NOW. */
  int (*give)(struct message *);
  /* It begins, or begins anew if it is persistent: what is sent is packed, or is being packed, and the MPI may send it.
   * MPI_SUCCESS or a class. NULL: nothing is to be done. */
  int (*begin)(struct message *const messages[], size_t count);
  /* The MPI has sent it, or never will: waits until the elements are the program's again. MPI_SUCCESS or a class.
   * NULL: they are the program's already. */
  int (*sent)(struct message *, int is_well);
  /* So many bytes have arrived, 0 of a message that was not taken: which move unpacks them. What goes to one device is
   * launched together, whichever ways it came. MPI_SUCCESS or a class. */
  int (*arrived)(struct message *, size_t bytes, struct gpu_move *);
  /* That is done; a persistent one may begin anew. NULL: nothing is to be done. */
  void (*taken)(struct message *);
  /* Gives back what it took. Nothing may be using it. */
  void (*release)(struct message *);
};

/* Has the MPI given a placeholder of a message's state. 0: none can be made. */
static inline int give_placeholder(struct message *m, struct placeholder *placeholder) {
  if (!placeholder_type(m->buffer.bytes, &m->given.type)) return 0;
  m->given.memory = m->given.placeholder = placeholder;
  m->given.count = 1;
  return 1;
}

/* Has the MPI given the program's own buffer. */
static inline int give_as_it_is(struct message *m) {
  m->given.memory = m->buffer.user;
  m->given.count = (MPI_Count)m->buffer.count;
  m->given.type = m->buffer.type;
  return MPI_SUCCESS;
}

/* Messages of one route begin. */
static inline int route_begin(const struct route *route, struct message *const messages[], size_t count) {
  return route->begin == NULL ? MPI_SUCCESS : route->begin(messages, count);
}

/* The end of a send, by its route. */
static inline int route_sent(struct message *m, int is_well) {
  return m->route->sent == NULL ? MPI_SUCCESS : m->route->sent(m, is_well);
}

/* From GPU memory to GPU memory, between processes of one host, where memory of devices can be shared: sends, receives
 * of either kind of buffer. */
HIDDEN extern const struct route route_ipc_send, route_ipc_receive, route_ipc_to_host;
/* Through host memory. */
HIDDEN extern const struct route route_one_shot;
HIDDEN extern const struct route route_device;
HIDDEN extern const struct route route_pipelined;

#endif

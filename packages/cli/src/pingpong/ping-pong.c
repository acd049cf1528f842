/* What a careful C program does with a datatype between two ranks: one call a series of turns, so that no other
 * language is timed. Each function returns the code of the first call of MPI that failed. */
#include <mpi.h>
#include <stdint.h>

#ifdef OPEN_MPI
#define COMM(handle) ((MPI_Comm)(uintptr_t)(handle))
#define TYPE(handle) ((MPI_Datatype)(uintptr_t)(handle))
#else
#define COMM(handle) ((MPI_Comm)(handle))
#define TYPE(handle) ((MPI_Datatype)(handle))
#endif

#define RANKS 2

typedef void move(const char *source, char *target, const void *shape);

struct side {
  char *elements; /* the datatype's address 0 */
  int64_t count, type;
  const void *shape;
  move *by_hand;
};

struct job {
  int64_t rank, comm, bytes;
  char *sent, *received; /* packed */
  struct side out, into;
};

#define TRY(call)                         \
  do {                                    \
    int code = (call);                    \
    if (code != MPI_SUCCESS) return code; \
  } while (0)

/* Rank 0 sends what it has and receives; rank 1 receives and sends that back. */
#define PING_PONG(send, receive, answer)      \
  for (long turn = 0; turn < turns; turn++) { \
    if (j->rank == 0) {                       \
      send;                                   \
      receive;                                \
    } else {                                  \
      receive;                                \
      answer;                                 \
    }                                         \
  }                                           \
  return MPI_SUCCESS;

static int send_elements(const struct job *j, const struct side *s) {
  return MPI_Send(s->elements, (int)s->count, TYPE(s->type), 1 - (int)j->rank, 0, COMM(j->comm));
}

static int receive_elements(const struct job *j, const struct side *s) {
  return MPI_Recv(s->elements, (int)s->count, TYPE(s->type), 1 - (int)j->rank, 0, COMM(j->comm), MPI_STATUS_IGNORE);
}

static int send_bytes(const struct job *j) {
  return MPI_Send(j->sent, (int)j->bytes, MPI_BYTE, 1 - (int)j->rank, 0, COMM(j->comm));
}

static int receive_bytes(const struct job *j) {
  return MPI_Recv(j->received, (int)j->bytes, MPI_BYTE, 1 - (int)j->rank, 0, COMM(j->comm), MPI_STATUS_IGNORE);
}

static void pack(const struct job *j, const struct side *s) { s->by_hand(s->elements, j->sent, s->shape); }
static void unpack(const struct job *j) { j->into.by_hand(j->received, j->into.elements, j->into.shape); }

int native_ping_pong(const struct job *j, long turns) {
  PING_PONG(TRY(send_elements(j, &j->out)), TRY(receive_elements(j, &j->into)), TRY(send_elements(j, &j->into)))
}

/* Rank 1 packs what it unpacked: its own side out lies where its side into does. */
int manual_ping_pong(const struct job *j, long turns) {
  PING_PONG(pack(j, &j->out); TRY(send_bytes(j)), TRY(receive_bytes(j)); unpack(j), pack(j, &j->out);
            TRY(send_bytes(j)))
}

int bytes_ping_pong(const struct job *j, long turns) {
  PING_PONG(TRY(send_bytes(j)), TRY(receive_bytes(j)), TRY(send_bytes(j)))
}

int native_all_to_all(const struct job *j, long turns) {
  for (long turn = 0; turn < turns; turn++)
    TRY(MPI_Alltoall(j->out.elements, (int)j->out.count / RANKS, TYPE(j->out.type), j->into.elements,
                     (int)j->into.count / RANKS, TYPE(j->into.type), COMM(j->comm)));
  return MPI_SUCCESS;
}

static int exchange_bytes(const struct job *j) {
  return MPI_Alltoall(j->sent, (int)j->bytes, MPI_BYTE, j->received, (int)j->bytes, MPI_BYTE, COMM(j->comm));
}

int manual_all_to_all(const struct job *j, long turns) {
  for (long turn = 0; turn < turns; turn++) {
    pack(j, &j->out);
    TRY(exchange_bytes(j));
    unpack(j);
  }
  return MPI_SUCCESS;
}

int bytes_all_to_all(const struct job *j, long turns) {
  for (long turn = 0; turn < turns; turn++) TRY(exchange_bytes(j));
  return MPI_SUCCESS;
}

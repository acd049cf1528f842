/* What a program may do with datatypes in memory of a device: messages HOW SEED. HOW is "host", "device", or "mixed":
 * odd ranks' buffers on the host. Each line is a rule and a hash of all that was received, gaps as well, on all ranks:
 * the same in every HOW. Two ranks or more. A third argument: long messages too; "long": also some from devices to the
 * host. */
#include "../programs/random-type.h"
#include "../programs/ranks-hash.h"
#include "cuda.h"

#include <string.h>

static int on_device;

static void must(int result, const char *call) {
  if (result == 0) return;
  fprintf(stderr, "%s: expected 0, got %d\n", call, result);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Memory where the run wants it, with the same bytes as this copy on the host. */
struct memory {
  unsigned char *copy, *place;
  size_t bytes;
};

static struct memory memory_of(size_t bytes, unsigned salt) {
  struct memory m = {malloc(bytes), NULL, bytes};
  uint64_t address;
  fill(m.copy, bytes, salt);
  m.place = m.copy;
  if (!on_device) return m;
  must(cuMemAlloc_v2(&address, bytes), "cuMemAlloc");
  must(cuMemcpyHtoD_v2(address, m.copy, bytes), "cuMemcpyHtoD");
  m.place = (unsigned char *)(uintptr_t)address;
  return m;
}

static void fetch(struct memory *m) {
  if (on_device) must(cuMemcpyDtoH_v2(m->copy, (uintptr_t)m->place, m->bytes), "cuMemcpyDtoH");
}

static void drop(struct memory *m) {
  if (on_device) must(cuMemFree_v2((uintptr_t)m->place), "cuMemFree");
  free(m->copy);
}

struct buffers {
  MPI_Datatype type;
  int count, size;
  struct room room;
  struct memory sent, received;
};

static struct buffers buffers_of(MPI_Datatype type, int count) {
  struct buffers b = {.type = type, .count = count, .room = room_of(type, count)};
  MPI_Type_size(type, &b.size);
  b.sent = memory_of(b.room.bytes, (unsigned)rank);
  b.received = memory_of(b.room.bytes, 100u + (unsigned)rank);
  return b;
}

static void *out(const struct buffers *b) { return b->sent.place + b->room.origin; }
static void *in(const struct buffers *b) { return b->received.place + b->room.origin; }

static void settle(struct buffers *b) {
  fetch(&b->received);
  hash = hashed(hash, b->received.copy, b->room.bytes);
  drop(&b->sent);
  drop(&b->received);
}

static int next(void) { return (rank + 1) % ranks; }
static int previous(void) { return (rank + ranks - 1) % ranks; }

static MPI_Datatype some_type(void) {
  MPI_Datatype type = random_type(3);
  MPI_Type_commit(&type);
  return type;
}

static struct buffers some_buffers(int most) {
  MPI_Datatype type = some_type();
  return buffers_of(type, draw(1, most));
}

static void blocking(void) {
  for (int i = 0; i < 12; i++) {
    struct buffers b = some_buffers(i % 4 != 0 ? 8 : 200);
    for (int turn = 0; turn < 2; turn++) {
      if (rank % 2 == turn) (i % 2 ? MPI_Ssend : MPI_Send)(out(&b), b.count, b.type, next(), 1, MPI_COMM_WORLD);
      else MPI_Recv(in(&b), b.count, b.type, previous(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("blocking");
}

static void exchanged(void) {
  for (int i = 0; i < 10; i++) {
    struct buffers b = some_buffers(20);
    MPI_Sendrecv(out(&b), b.count, b.type, next(), 2, in(&b), b.count, b.type, previous(), 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  /* MPICH 4.0.2 itself fails with other types. */
  MPI_Datatype column;
  MPI_Type_vector(50, 3, 5, MPI_INT, &column);
  MPI_Type_commit(&column);
  struct buffers b = buffers_of(column, 2);
  MPI_Sendrecv_replace(in(&b), b.count, b.type, next(), 3, previous(), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  settle(&b);
  MPI_Type_free(&column);
  struct buffers dense = buffers_of(MPI_DOUBLE, 200);
  MPI_Sendrecv_replace(in(&dense), dense.count, MPI_DOUBLE, next(), 3, previous(), 3, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(in(&dense), dense.count, MPI_DOUBLE, rank == 0 ? MPI_PROC_NULL : next(), 3,
                       rank == 1 ? MPI_PROC_NULL : previous(), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  settle(&dense);
  report("exchanged");
}

/* Side by side, in one buffer. */
static void predefined(void) {
  struct buffers b = buffers_of(MPI_DOUBLE, 1000), pairs = buffers_of(MPI_DOUBLE_INT, 100);
  MPI_Sendrecv(out(&b), 1000, MPI_DOUBLE, next(), 4, in(&b), 1000, MPI_DOUBLE, previous(), 4, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(out(&pairs), 100, MPI_DOUBLE_INT, next(), 4, in(&pairs), 100, MPI_DOUBLE_INT, previous(), 4,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  settle(&b);
  settle(&pairs);
  report("predefined");
}

/* The messages outlive their handles; receives into one buffer, a column each. */
static void started(void) {
  enum { COLUMNS = 5, ROWS = 40 };
  for (int i = 0; i < 4; i++) {
    struct memory from = memory_of(COLUMNS * ROWS * 8, (unsigned)rank),
                  to = memory_of(COLUMNS * ROWS * 8, 7u + (unsigned)rank);
    MPI_Request requests[2 * COLUMNS];
    MPI_Status statuses[2 * COLUMNS];
    MPI_Datatype column;
    MPI_Type_vector(ROWS - i, 1, COLUMNS, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int c = 0; c < COLUMNS; c++) {
      MPI_Irecv(to.place + 8 * c, 1, column, previous(), c, MPI_COMM_WORLD, &requests[c]);
      (i % 2 ? MPI_Isend : MPI_Issend)(from.place + 8 * c, 1, column, next(), c, MPI_COMM_WORLD,
                                       &requests[COLUMNS + c]);
    }
    MPI_Type_free(&column);
    MPI_Datatype other = some_type();
    if (i % 2) MPI_Waitall(2 * COLUMNS, requests, MPI_STATUSES_IGNORE);
    else MPI_Waitall(2 * COLUMNS, requests, statuses);
    MPI_Type_free(&other);
    fetch(&to);
    hash = hashed(hash, to.copy, to.bytes);
    drop(&from);
    drop(&to);
  }
  report("started");
}

/* All ways to hear that a request is over. */
enum { WAYS = 8, MESSAGES = 6 };

static void complete(int way, MPI_Request requests[]) {
  int flag = 0, index, done, indices[MESSAGES], left = MESSAGES;
  MPI_Status statuses[MESSAGES];
  switch (way) {
  case 0:
    for (int i = 0; i < MESSAGES; i++) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    break;
  case 1:
    for (int i = 0; i < MESSAGES; i++)
      for (flag = 0; !flag;) MPI_Test(&requests[i], &flag, &statuses[0]);
    break;
  case 2:
    for (int i = 0; i < MESSAGES; i++) MPI_Waitany(MESSAGES, requests, &index, MPI_STATUS_IGNORE);
    break;
  case 3:
    for (int i = 0; i < MESSAGES; i += flag) MPI_Testany(MESSAGES, requests, &index, &flag, &statuses[0]);
    break;
  case 4:
    for (; left > 0; left -= done) MPI_Waitsome(MESSAGES, requests, &done, indices, statuses);
    break;
  case 5:
    for (; left > 0; left -= done) MPI_Testsome(MESSAGES, requests, &done, indices, MPI_STATUSES_IGNORE);
    break;
  case 6:
    for (flag = 0; !flag;) MPI_Testall(MESSAGES, requests, &flag, statuses);
    break;
  default:
    for (int i = 0; i < MESSAGES; i++)
      for (flag = 0; !flag;) MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(MESSAGES, requests, statuses);
  }
  for (int i = 0; i < MESSAGES; i++) hash = hash * 3 + (requests[i] == MPI_REQUEST_NULL);
}

static void completed(void) {
  for (int way = 0; way < WAYS; way++) {
    struct buffers b[MESSAGES / 2];
    MPI_Request requests[MESSAGES];
    for (int i = 0; i < MESSAGES / 2; i++) {
      b[i] = some_buffers(30);
      MPI_Irecv(in(&b[i]), b[i].count, b[i].type, previous(), i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < MESSAGES / 2; i++)
      MPI_Isend(out(&b[i]), b[i].count, b[i].type, next(), i, MPI_COMM_WORLD, &requests[MESSAGES / 2 + i]);
    complete(way, requests);
    for (int i = 0; i < MESSAGES / 2; i++) settle(&b[i]);
  }
  report("completed");
}

static void persistent(void) {
  for (int i = 0; i < 4; i++) {
    struct buffers b = some_buffers(20);
    MPI_Request requests[2];
    MPI_Recv_init(in(&b), b.count, b.type, previous(), 6, MPI_COMM_WORLD, &requests[0]);
    (i % 2 ? MPI_Send_init : MPI_Ssend_init)(out(&b), b.count, b.type, next(), 6, MPI_COMM_WORLD, &requests[1]);
    for (int turn = 0; turn < 3; turn++) {
      if (turn == 1) MPI_Startall(2, requests);
      else MPI_Start(&requests[0]), MPI_Start(&requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      fetch(&b.received);
      hash = hashed(hash, b.received.copy, b.room.bytes);
    }
    MPI_Type_free(&b.type);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    settle(&b);
  }
  report("persistent");
}

/* Some of one Startall are long, some are short; what is sent changes from turn to turn. */
static void together(void) {
  struct buffers b[MESSAGES];
  MPI_Request requests[2 * MESSAGES];
  for (int i = 0; i < MESSAGES; i++) {
    MPI_Datatype type;
    if (i == 4) MPI_Type_contiguous(500, MPI_DOUBLE, &type);
    else MPI_Type_vector(3 << 2 * i, 1 + i, 9, MPI_INT, &type);
    MPI_Type_commit(&type);
    b[i] = buffers_of(type, 1);
    MPI_Recv_init(in(&b[i]), 1, b[i].type, previous(), i, MPI_COMM_WORLD, &requests[i]);
    MPI_Send_init(out(&b[i]), 1, b[i].type, next(), i, MPI_COMM_WORLD, &requests[MESSAGES + i]);
    MPI_Type_free(&type);
  }
  for (int turn = 0; turn < 6; turn++) {
    for (int i = 0; i < MESSAGES; i++) {
      memset(b[i].sent.copy, 16 * rank + turn, b[i].room.bytes);
      if (on_device) must(cuMemcpyHtoD_v2((uintptr_t)b[i].sent.place, b[i].sent.copy, b[i].room.bytes), "cuMemcpyHtoD");
    }
    MPI_Startall(2 * MESSAGES, requests);
    MPI_Waitall(2 * MESSAGES, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MESSAGES; i++) fetch(&b[i].received), hash = hashed(hash, b[i].received.copy, b[i].room.bytes);
  }
  for (int i = 0; i < 2 * MESSAGES; i++) MPI_Request_free(&requests[i]);
  for (int i = 0; i < MESSAGES; i++) settle(&b[i]);
  report("together");
}

/* Into memory that the program attached: over at once, and received later. */
static void buffered(void) {
  enum { BYTES = 1 << 20 };
  unsigned char *attached = malloc(BYTES);
  int bytes;
  MPI_Datatype column;
  MPI_Type_vector(300, 2, 5, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Buffer_attach(attached, BYTES);
  for (int i = 0; i < 6; i++) {
    struct buffers b = buffers_of(column, 1 + i);
    MPI_Request request = MPI_REQUEST_NULL;
    if (i % 3 == 0) MPI_Bsend(out(&b), b.count, column, next(), 14, MPI_COMM_WORLD);
    else if (i % 3 == 1) MPI_Ibsend(out(&b), b.count, column, next(), 14, MPI_COMM_WORLD, &request);
    else MPI_Bsend_init(out(&b), b.count, column, next(), 14, MPI_COMM_WORLD, &request), MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(in(&b), b.count, column, previous(), 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    settle(&b);
  }
  MPI_Buffer_detach(&attached, &bytes);
  free(attached);
  MPI_Type_free(&column);
  report("buffered");
}

/* Fewer elements come than there is room for, and what arrived is asked for before and after. */
static void shorter(void) {
  for (int i = 0; i < 8; i++) {
    struct buffers b = some_buffers(60);
    MPI_Request send;
    MPI_Status status;
    MPI_Message message;
    int elements, basic;
    MPI_Isend(out(&b), (b.count + 1) / 2, b.type, next(), 5, MPI_COMM_WORLD, &send);
    if (i % 2) {
      MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, b.type, &elements);
      hash = hash * 31 + (uint64_t)elements;
      MPI_Recv(in(&b), b.count, b.type, status.MPI_SOURCE, 5, MPI_COMM_WORLD, &status);
    } else {
      MPI_Mprobe(previous(), 5, MPI_COMM_WORLD, &message, &status);
      MPI_Mrecv(in(&b), b.count, b.type, &message, &status);
    }
    MPI_Get_count(&status, b.type, &elements);
    MPI_Get_elements(&status, b.type, &basic);
    hash = hash * 31 + (uint64_t)elements * 7 + (uint64_t)basic + (uint64_t)status.MPI_SOURCE;
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("shorter");
}

/* A part of an element: bytes arrive in a receive of the type. */
static void partial(void) {
  for (int i = 0; i < 6; i++) {
    struct buffers b = buffers_of(some_type(), 3);
    const int bytes = b.size * 3;
    unsigned char *packed = malloc((size_t)bytes + 1);
    fill(packed, (size_t)bytes, 3u + (unsigned)rank);
    MPI_Sendrecv(packed, bytes, MPI_PACKED, next(), 8, in(&b), b.count, b.type, previous(), 8, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(out(&b), b.count, b.type, next(), 9, packed, bytes, MPI_PACKED, previous(), 9, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    hash = hashed(hash, packed, (size_t)bytes);
    free(packed);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("other-type");
}

/* What lies on a device is received into memory of the host, in all ways that receives begin. */
enum { STARTS = 6 };

static void receive_on_host(int how, void *to, const struct buffers *b) {
  MPI_Request request;
  MPI_Message message;
  switch (how) {
  case 0: MPI_Recv(to, b->count, b->type, previous(), 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE); return;
  case 1: MPI_Irecv(to, b->count, b->type, MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &request); break;
  case 2:
    MPI_Recv_init(to, b->count, b->type, previous(), 20, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return;
  case 3:
    MPI_Mprobe(previous(), 20, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(to, b->count, b->type, &message, MPI_STATUS_IGNORE);
    return;
  case 4:
    MPI_Mprobe(previous(), 20, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(to, b->count, b->type, &message, &request);
    break;
  default:
    MPI_Sendrecv(out(b), 0, b->type, next(), 21, to, b->count, b->type, previous(), 20, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Recv(to, 0, b->type, previous(), 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Not by MPICH 4.0.2, which calls messages of 34,056 bytes truncated where a struct of as many is posted. */
static void onto_host(void) {
  for (int i = 0; i < 3 * STARTS; i++) {
    struct buffers b = i % 3 == 2 ? buffers_of(MPI_DOUBLE, 900) : some_buffers(30);
    MPI_Request send;
    MPI_Isend(out(&b), b.count, b.type, next(), 20, MPI_COMM_WORLD, &send);
    receive_on_host(i % STARTS, b.received.copy + b.room.origin, &b);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    hash = hashed(hash, b.received.copy, b.room.bytes);
    if (b.type != MPI_DOUBLE) MPI_Type_free(&b.type);
    drop(&b.sent);
    drop(&b.received);
  }
  report("onto-host");
}

/* Longer than the MPI sends at once: many fragments, several under way, the last shorter than the others. */
static void large(void) {
  for (int i = 0; i < 3; i++) {
    struct buffers b[2];
    MPI_Request requests[4];
    MPI_Datatype type;
    MPI_Type_vector(3000 + i, 4 + 9 * i, 9 + 9 * i, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    for (int k = 0; k < 2; k++) {
      b[k] = buffers_of(type, 2);
      MPI_Irecv(in(&b[k]), b[k].count, type, previous(), k, MPI_COMM_WORLD, &requests[k]);
    }
    for (int k = 0; k < 2; k++) MPI_Isend(out(&b[k]), b[k].count, type, next(), k, MPI_COMM_WORLD, &requests[2 + k]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&type);
    for (int k = 0; k < 2; k++) settle(&b[k]);
  }
  report("large");
}

static void broadcast(void) {
  for (int i = 0; i < 5; i++) {
    struct buffers b = some_buffers(20);
    MPI_Bcast(rank == i % ranks ? out(&b) : in(&b), b.count, b.type, i % ranks, MPI_COMM_WORLD);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("broadcast");
}

enum { MOST_RANKS = 8 };

/* Pieces of equal types at places far apart, an empty one among them; then in place; then of a type each. */
static void pieces(void) {
  for (int i = 0; i < 4; i++) {
    MPI_Datatype type, types[MOST_RANKS];
    int counts[MOST_RANKS], places[MOST_RANKS], bytes[MOST_RANKS];
    MPI_Aint lower, extent;
    MPI_Type_vector(5 + i, 2, 3, MPI_SHORT, &type);
    MPI_Type_commit(&type);
    MPI_Type_get_extent(type, &lower, &extent);
    for (int r = 0; r < ranks; r++) {
      counts[r] = (r + rank) % 3;
      places[r] = 4 * (ranks - r);
      bytes[r] = (int)extent * places[r];
      types[r] = type;
    }
    struct buffers b = buffers_of(type, 5 * (ranks + 1));
    MPI_Alltoallv(out(&b), counts, places, type, in(&b), counts, places, type, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in(&b), counts, places, type, MPI_COMM_WORLD);
    MPI_Alltoallw(out(&b), counts, bytes, types, in(&b), counts, bytes, types, MPI_COMM_WORLD);
    MPI_Alltoall(out(&b), 2, type, in(&b), 2, type, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    settle(&b);
  }
  report("pieces");
}

/* A ring: what goes up comes from below. */
static void neighbours(void) {
  MPI_Comm ring;
  /* Each of two ranks is both neighbours of the other: MPIs differ in which message is which. */
  const int sizes[] = {ranks}, periods[] = {1}, up = ranks > 2 ? 2 : 1, counts[] = {1, up}, swapped[] = {up, 1},
            places[] = {0, 3};
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &ring);
  for (int i = 0; i < 3; i++) {
    MPI_Datatype type;
    MPI_Aint lower, extent;
    MPI_Type_vector(4 + i, 1, 3, MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    MPI_Type_get_extent(type, &lower, &extent);
    const MPI_Aint far[] = {extent, 5 * extent};
    const MPI_Datatype types[] = {type, type};
    struct buffers b = buffers_of(type, 8);
    MPI_Neighbor_allgather(out(&b), 2, type, in(&b), 2, type, ring);
    MPI_Neighbor_alltoall(out(&b), 1, type, in(&b), 1, type, ring);
    MPI_Neighbor_allgatherv(out(&b), 1, type, in(&b), (const int[]){1, 1}, places, type, ring);
    MPI_Neighbor_alltoallv(out(&b), counts, places, type, in(&b), swapped, places, type, ring);
    MPI_Neighbor_alltoallw(out(&b), counts, far, types, in(&b), swapped, far, types, ring);
    MPI_Type_free(&type);
    settle(&b);
  }
  MPI_Comm_free(&ring);
  report("neighbours");
}

/* Itself, the next and the one behind it, of a graph: pieces of types of their own, long and short, one of them empty;
 * once onto the host. */
static void graph(void) {
  enum { NEIGHBOURS = 3 };
  MPI_Comm around;
  int targets[NEIGHBOURS], sources[NEIGHBOURS];
  for (int k = 0; k < NEIGHBOURS; k++) {
    targets[k] = (rank + k) % ranks;
    sources[k] = (rank + 2 * ranks - k) % ranks;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, NEIGHBOURS, sources, MPI_UNWEIGHTED, NEIGHBOURS, targets,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &around);
  for (int i = 0; i < 4; i++) {
    enum { BYTES = 80000 };
    MPI_Datatype types[NEIGHBOURS];
    MPI_Aint places[NEIGHBOURS];
    int counts[NEIGHBOURS];
    struct memory from = memory_of(NEIGHBOURS * BYTES, (unsigned)rank),
                  to = memory_of(NEIGHBOURS * BYTES, 60u + (unsigned)rank);
    for (int k = 0; k < NEIGHBOURS; k++) {
      MPI_Type_vector(i == 0 ? 5 : 700 * i, 1 + k, 4, MPI_INT, &types[k]);
      MPI_Type_commit(&types[k]);
      places[k] = (NEIGHBOURS - 1 - k) * BYTES;
      counts[k] = i == 3 && k == 1 ? 0 : 1;
    }
    MPI_Neighbor_alltoallw(from.place, counts, places, types, i == 2 ? to.copy : to.place, counts, places, types,
                           around);
    if (i != 2) fetch(&to);
    hash = hashed(hash, to.copy, to.bytes);
    drop(&from);
    drop(&to);
    for (int k = 0; k < NEIGHBOURS; k++) MPI_Type_free(&types[k]);
  }
  for (int i = 0; i < 3; i++) {
    const int counts[] = {1 + i, 0, 1}, places[] = {3, 0, 8};
    MPI_Datatype type;
    MPI_Type_vector(i == 0 ? 30 : 500 * i, 3, 5, MPI_INT, &type);
    MPI_Type_commit(&type);
    struct buffers b = buffers_of(type, 12);
    MPI_Neighbor_alltoallv(out(&b), counts, places, type, in(&b), counts, places, type, around);
    MPI_Neighbor_alltoall(out(&b), 1, type, in(&b), 1, type, around);
    MPI_Type_free(&type);
    settle(&b);
  }
  MPI_Comm_free(&around);
  report("graph");
}

/* From and to memory of a device, on either side or both. */
static void packed(void) {
  for (int i = 0; i < 8; i++) {
    struct buffers b = some_buffers(10);
    const int bytes = b.size * b.count;
    struct memory far = memory_of((size_t)bytes + 16, 50);
    unsigned char *near = malloc((size_t)bytes + 16);
    void *packed = i % 2 ? near : far.place;
    int from = 3, to = 3;
    MPI_Pack(i % 4 < 2 ? out(&b) : b.sent.copy + b.room.origin, b.count, b.type, packed, bytes + 16, &from,
             MPI_COMM_WORLD);
    MPI_Unpack(packed, bytes + 16, &to, in(&b), b.count, b.type, MPI_COMM_WORLD);
    hash = hash * 31 + (uint64_t)(from * 7 + to);
    free(near);
    drop(&far);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("packed");
}

/* A receive that is too short gives the MPI's error; requests are cancelled, and freed while they are under way. */
static void ended_early(int blocks) {
  MPI_Datatype column;
  int class = 0, is_cancelled = 0;
  MPI_Type_vector(blocks, 1, 3, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  struct buffers b = buffers_of(column, 2), c = buffers_of(column, 2);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Request request, send;
  MPI_Status status;
  MPI_Isend(out(&b), 2, column, next(), 11, MPI_COMM_WORLD, &send);
  MPI_Error_class(MPI_Recv(in(&b), 1, column, previous(), 11, MPI_COMM_WORLD, &status), &class);
  hash = hash * 31 + (class == MPI_ERR_TRUNCATE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Irecv(in(&c), 1, column, previous(), 12, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &is_cancelled);
  hash = hash * 31 + (uint64_t)is_cancelled;
  MPI_Isend(out(&c), 2, column, next(), 13, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  hash = hash * 31 + (request == MPI_REQUEST_NULL);
  MPI_Recv(in(&c), 2, column, previous(), 13, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  drop(&b.sent);
  drop(&b.received);
  settle(&c);
  MPI_Type_free(&column);
  report("ended-early");
}

int main(int argc, char **argv) {
  void *context;
  int device;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char *how = argc > 1 ? argv[1] : "host";
  draws = strtoull(argc > 2 ? argv[2] : "1", NULL, 10);
  on_device = strcmp(how, "device") == 0 || (strcmp(how, "mixed") == 0 && rank % 2 == 0);
  if (on_device) {
    must(cuInit(0), "cuInit");
    must(cuDeviceGet(&device, 0), "cuDeviceGet");
    must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    must(cuCtxPushCurrent_v2(context), "cuCtxPushCurrent");
  }
  report("seed");
  blocking();
  exchanged();
  predefined();
  started();
  completed();
  persistent();
  together();
  buffered();
  shorter();
  partial();
  if (argc > 3 && strcmp(argv[3], "long") == 0) onto_host();
  if (argc > 3) large();
  broadcast();
  pieces();
  neighbours();
  graph();
  packed();
  ended_early(64);
  if (argc > 3) ended_early(3000);
  MPI_Finalize();
  return 0;
}

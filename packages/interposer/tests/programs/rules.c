/* What a program may do with datatypes: rules SEED [PART], of which PART makes all loops and large messages so many
 * times shorter. Each line is a rule and a hash of all that was received, gaps as well, on all ranks: the same natively
 * and by our code; so is how often the program's error handler was called. Any number of ranks. */
#include "random-type.h"
#include "ranks-hash.h"

#include <string.h>

static int part = 1;

struct buffers {
  MPI_Datatype type;
  int count, size;
  struct room room;
  unsigned char *sent, *received;
};

static struct buffers buffers_of(MPI_Datatype type, int count) {
  struct buffers b = {type, count, 0, room_of(type, count), NULL, NULL};
  MPI_Type_size(type, &b.size);
  b.sent = malloc(b.room.bytes);
  b.received = malloc(b.room.bytes);
  fill(b.sent, b.room.bytes, (unsigned)rank);
  fill(b.received, b.room.bytes, 100u + (unsigned)rank);
  return b;
}

static void *out(const struct buffers *b) { return b->sent + b->room.origin; }
static void *in(const struct buffers *b) { return b->received + b->room.origin; }

static void settle(struct buffers *b) {
  hash = hashed(hash, b->received, b->room.bytes);
  free(b->sent);
  free(b->received);
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
  return buffers_of(type, draw(0, most));
}

static void blocking(void) {
  for (int i = 0; i < (40 + part - 1) / part; i++) {
    struct buffers b = some_buffers(i % 4 != 0 ? 20 : 3000 / part);
    MPI_Sendrecv(out(&b), b.count, b.type, next(), 1, in(&b), b.count, b.type, previous(), 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("blocking");
}

/* The message outlives the handle, whose address another type may get at once. */
static void freed_in_mid_message(void) {
  for (int i = 0; i < (20 + part - 1) / part; i++) {
    struct buffers b = some_buffers(2000 / part);
    MPI_Request requests[2];
    MPI_Irecv(in(&b), b.count, b.type, previous(), 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out(&b), b.count, b.type, next(), 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&b.type);
    MPI_Datatype other = some_type();
    MPI_Status statuses[2];
    MPI_Waitall(2, requests, statuses);
    MPI_Type_free(&other);
    settle(&b);
  }
  report("freed-in-mid-message");
}

/* MPICH 4.0.2 itself fails where a fragment ends in a basic element: messages of one fragment. Those that are
 * buffered or replaced are sent as bytes. */
#ifdef OPEN_MPI
enum { OTHER_TYPE_MOST = 1500, BUFFERED_MOST = 100000 };
#else
enum { OTHER_TYPE_MOST = 4, BUFFERED_MOST = 4000 };
#endif

/* Bytes arrive in fragments that end in basic elements: the one side sends bytes, the other receives a type, and the
 * reverse. */
static void other_type_at_the_other_side(void) {
  for (int i = 0; i < (20 + part - 1) / part; i++) {
    struct buffers b = some_buffers(OTHER_TYPE_MOST / part);
    const int bytes = b.size * b.count;
    int position = 0;
    unsigned char *packed = malloc((size_t)bytes + 1), *arrived = malloc((size_t)bytes + 1);
    MPI_Pack(out(&b), b.count, b.type, packed, bytes, &position, MPI_COMM_WORLD);
    MPI_Sendrecv(packed, position, MPI_PACKED, next(), 3, in(&b), b.count, b.type, previous(), 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(out(&b), b.count, b.type, next(), 4, arrived, bytes, MPI_PACKED, previous(), 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    hash = hashed(hash, arrived, (size_t)bytes);
    free(packed);
    free(arrived);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("other-type");
}

/* Fewer elements come than the receive has room for. */
static void shorter(void) {
  for (int i = 0; i < (20 + part - 1) / part; i++) {
    struct buffers b = some_buffers(600);
    MPI_Status status;
    int elements;
    MPI_Sendrecv(out(&b), b.count / 2, b.type, next(), 5, in(&b), b.count, b.type, previous(), 5, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, b.type, &elements);
    hash = hash * 31 + (uint64_t)elements;
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("shorter");
}

static void modes(void) {
  static char attached[1 << 20];
  MPI_Buffer_attach(attached, sizeof attached);
  for (int i = 0; i < (12 + part - 1) / part; i++) {
    struct buffers b = some_buffers(40);
    MPI_Request receive, send;
    MPI_Recv_init(in(&b), b.count, b.type, previous(), 6, MPI_COMM_WORLD, &receive);
    MPI_Ssend_init(out(&b), b.count, b.type, next(), 6, MPI_COMM_WORLD, &send);
    for (int turn = 0; turn < 3; turn++) {
      MPI_Start(&receive);
      MPI_Start(&send);
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&receive);
    MPI_Request_free(&send);
    MPI_Irecv(in(&b), b.count, b.type, previous(), 7, MPI_COMM_WORLD, &receive);
    if ((size_t)b.size * (size_t)b.count < BUFFERED_MOST)
      MPI_Bsend(out(&b), b.count, b.type, next(), 7, MPI_COMM_WORLD);
    else MPI_Send(out(&b), b.count, b.type, next(), 7, MPI_COMM_WORLD);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    if ((size_t)b.size * (size_t)b.count < BUFFERED_MOST)
      MPI_Sendrecv_replace(in(&b), b.count, b.type, next(), 8, previous(), 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out(&b), b.count, b.type, MPI_PROC_NULL, 9, MPI_COMM_WORLD);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  void *detached;
  int size;
  MPI_Buffer_detach(&detached, &size);
  report("modes");
}

static void packing(void) {
  for (int i = 0; i < (20 + part - 1) / part; i++) {
    struct buffers b = some_buffers(200);
    int bytes, position = 0, back = 0;
    MPI_Pack_size(b.count, b.type, MPI_COMM_WORLD, &bytes);
    unsigned char *packed = calloc(1, (size_t)bytes * 2 + 16);
    MPI_Pack(out(&b), b.count, b.type, packed, 2 * bytes + 16, &position, MPI_COMM_WORLD);
    const int once = position;
    MPI_Pack(out(&b), b.count / 2, b.type, packed, 2 * bytes + 16, &position, MPI_COMM_WORLD);
    MPI_Unpack(packed, position, &back, in(&b), b.count, b.type, MPI_COMM_WORLD);
    if (back != once) printf("expected to unpack %d bytes, got %d\n", once, back);
    hash = hashed(hash, packed, (size_t)position);
    free(packed);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("packing");
}

static void collectives(void) {
  for (int i = 0; i < (10 + part - 1) / part; i++) {
    struct buffers b = some_buffers(60);
    memcpy(b.received, b.sent, b.room.bytes);
    MPI_Bcast(in(&b), b.count, b.type, i % ranks, MPI_COMM_WORLD);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  for (int i = 0; i < (6 + part - 1) / part; i++) {
    MPI_Datatype type = some_type(), spaced;
    const struct room room = room_of(type, 1);
    /* Each rank's part lies apart, whatever the type's extent. */
    MPI_Type_create_resized(type, 0, (MPI_Aint)room.bytes, &spaced);
    MPI_Type_commit(&spaced);
    struct buffers b = buffers_of(spaced, ranks);
    MPI_Alltoall(out(&b), 1, spaced, in(&b), 1, spaced, MPI_COMM_WORLD);
    MPI_Allgather(out(&b), 1, spaced, in(&b), 1, spaced, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    MPI_Type_free(&spaced);
    settle(&b);
  }
  report("collectives");
}

static void one_sided(void) {
  for (int i = 0; i < (6 + part - 1) / part; i++) {
    struct buffers b = some_buffers(30);
    MPI_Win window;
    MPI_Win_create(b.received, (MPI_Aint)b.room.bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out(&b), b.count, b.type, next(), (MPI_Aint)b.room.origin, b.count, b.type, window);
    MPI_Win_fence(0, window);
    MPI_Get(out(&b), b.count, b.type, next(), (MPI_Aint)b.room.origin, b.count, b.type, window);
    MPI_Win_fence(0, window);
    hash = hashed(hash, b.sent, b.room.bytes);
    MPI_Win_free(&window);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("one-sided");
}

/* A duplicate, a type of a committed type, contents that are asked for and freed, MPI_BOTTOM with addresses. */
static void handles(void) {
  for (int i = 0; i < (10 + part - 1) / part; i++) {
    MPI_Datatype type = some_type(), dup, outer, contents[1];
    int integers[2], combiner, counts[3];
    MPI_Type_dup(type, &dup);
    MPI_Type_contiguous(2, type, &outer);
    MPI_Type_commit(&outer);
    MPI_Type_get_envelope(outer, &counts[0], &counts[1], &counts[2], &combiner);
    MPI_Type_get_contents(outer, counts[0], 0, 1, integers, NULL, contents);
    MPI_Type_get_envelope(contents[0], &counts[0], &counts[1], &counts[2], &combiner);
    if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&contents[0]);
    MPI_Type_free(&type);
    struct buffers b = buffers_of(outer, 12);
    MPI_Sendrecv(out(&b), 24, dup, next(), 10, in(&b), 12, outer, previous(), 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Aint address;
    MPI_Get_address(in(&b), &address);
    MPI_Datatype absolute;
    const int one = 1;
    MPI_Type_create_hindexed(1, &one, &address, dup, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Sendrecv(out(&b), 1, dup, next(), 11, MPI_BOTTOM, 1, absolute, previous(), 11, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&absolute);
    MPI_Type_free(&dup);
    MPI_Type_free(&outer);
    settle(&b);
  }
  report("handles");
}

static int handled;
static void handle(MPI_Comm *communicator, int *code, ...) {
  (void)communicator, (void)code;
  handled++;
}

/* Calls outside any communicator tell MPI_COMM_SELF's handler, before MPI 4.0 that of MPI_COMM_WORLD. */
static void set_handler(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
}

/* Types that take MPI_Count, where the MPI has them. */
static MPI_Datatype large_type(int kind) {
  MPI_Datatype type, inner = random_basic();
#if MPI_VERSION >= 4
  const MPI_Count lengths[] = {2, 0, 1}, places[] = {0, 3, 5}, addresses[] = {96, 0, 64}, sizes[] = {5, 6},
                  parts[] = {2, 3};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT, MPI_SHORT};
  switch (kind % 8) {
  case 0: MPI_Type_vector_c(7, 2, 3, inner, &type); break;
  case 1: MPI_Type_create_hvector_c(5, 1, 40, inner, &type); break;
  case 2: MPI_Type_indexed_c(3, lengths, places, inner, &type); break;
  case 3: MPI_Type_create_hindexed_c(3, lengths, addresses, MPI_INT, &type); break;
  case 4: MPI_Type_create_struct_c(3, lengths, addresses, types, &type); break;
  case 5: MPI_Type_create_subarray_c(2, sizes, parts, places, MPI_ORDER_C, inner, &type); break;
  case 6: MPI_Type_create_indexed_block_c(3, 1, places, inner, &type); break;
  default: MPI_Type_create_resized_c(inner, -8, 48, &type); break;
  }
#else
  MPI_Type_vector(7 + kind % 8, 2, 3, inner, &type);
#endif
  MPI_Datatype outer;
  MPI_Type_contiguous(3, type, &outer);
  MPI_Type_free(&type);
  MPI_Type_commit(&outer);
  return outer;
}

static void large(void) {
  for (int i = 0; i < 8 * (1 + 8 / part); i++) {
    struct buffers b = buffers_of(large_type(i), draw(1, 300));
    MPI_Sendrecv(out(&b), b.count, b.type, next(), 13, in(&b), b.count, b.type, previous(), 13, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&b.type);
    settle(&b);
  }
  report("large");
}

/* Its bytes lie too far apart for --verify to keep a copy of what is between them. */
static void far_apart(void) {
  MPI_Datatype type;
  MPI_Type_create_hvector(416, 5, 40880, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  struct buffers b = buffers_of(type, 1);
  MPI_Sendrecv(out(&b), 1, type, next(), 15, in(&b), 1, type, previous(), 15, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  settle(&b);
  report("far apart");
}

/* Made of a parameterised type of Fortran's, of which no portable description is. */
static void undescribed(void) {
  MPI_Datatype real, type;
  MPI_Type_create_f90_real(6, MPI_UNDEFINED, &real);
  MPI_Type_vector(9, 1, 2, real, &type);
  MPI_Type_commit(&type);
  struct buffers b = buffers_of(type, 20);
  MPI_Sendrecv(out(&b), 20, type, next(), 14, in(&b), 20, type, previous(), 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  settle(&b);
  report("undescribed");
}

/* How often the errors before were told to the program's handlers. */
static void handlers(void) {
  hash = hash * 31 + (uint64_t)handled;
  report("handlers");
}

/* Errors are the MPI's: a receive that is too short, a pack without room. */
static void errors(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Datatype type;
  MPI_Type_vector(64, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  struct buffers b = buffers_of(type, 4);
  char packed[64];
  int position = 0, class;
  const int full = MPI_Pack(out(&b), 4, type, packed, sizeof packed, &position, MPI_COMM_WORLD);
  MPI_Error_class(full, &class);
  hash = hash * 31 + (uint64_t)(full != MPI_SUCCESS) * 7 + (uint64_t)position;
  MPI_Request request;
  MPI_Irecv(in(&b), 1, type, previous(), 12, MPI_COMM_WORLD, &request);
  MPI_Send(out(&b), 4, type, next(), 12, MPI_COMM_WORLD);
  const int truncated = MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Error_class(truncated, &class);
  hash = hash * 31 + (uint64_t)(class == MPI_ERR_TRUNCATE);
  set_handler();
  MPI_Type_free(&type);
  /* What a truncated message leaves is nobody's promise (MPI 4.1, section 3.2.4): MPICH's ways of receiving differ. */
  free(b.sent);
  free(b.received);
  report("errors");
}

static void rules(uint64_t seed) {
  static void (*const all[])(void) = {blocking,
                                      freed_in_mid_message,
                                      other_type_at_the_other_side,
                                      shorter,
                                      modes,
                                      packing,
                                      collectives,
                                      one_sided,
                                      handles,
                                      errors,
                                      large,
                                      far_apart,
                                      undescribed,
                                      handlers};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    draws = seed * 1000 + i;
    begin_hash();
    all[i]();
  }
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  set_handler();
  if (argc > 2) part = atoi(argv[2]);
  rules(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
  MPI_Finalize();
  return 0;
}

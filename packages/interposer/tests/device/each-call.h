/* Every call with counts that rows.h names, by both names, on the buffers of each-call.c: included once for counts of
 * int, and where the MPI has large counts (MPI 4.0) once more. FORM gives a call's name, COUNT and PLACE the types of
 * its counts and displacements. */

static void FORM(blocking)(void) {
  const COUNT one = 1;
#define BOTH(sends, receives)                                                 \
  for (int turn = 0; turn < 2; turn++) {                                      \
    if (rank == turn) FORM(sends)(sent.place, one, column, peer, 1, pair);    \
    else FORM(receives)(received.place, one, column, peer, 1, pair, &status); \
  }                                                                           \
  report(#sends);
  MPI_Status status;
  BOTH(MPI_Send, MPI_Recv)
  BOTH(PMPI_Send, PMPI_Recv)
  BOTH(MPI_Ssend, MPI_Recv)
  BOTH(MPI_Bsend, MPI_Recv)
  MPI_Message message;
  for (int turn = 0; turn < 2; turn++) {
    MPI_Request request;
    FORM(MPI_Irecv)(received.place, one, column, peer, 2, pair, &request);
    MPI_Barrier(pair);
    FORM(MPI_Rsend)(sent.place, one, column, peer, 2, pair);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    report("MPI_Rsend");
    FORM(MPI_Isend)(sent.place, one, column, peer, 3, pair, &request);
    MPI_Mprobe(peer, 3, pair, &message, &status);
    if (turn == 0) FORM(MPI_Mrecv)(received.place, one, column, &message, &status);
    MPI_Request matched = MPI_REQUEST_NULL;
    if (turn == 1) FORM(MPI_Imrecv)(received.place, one, column, &message, &matched);
    MPI_Wait(&matched, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    report(turn == 0 ? "MPI_Mrecv" : "MPI_Imrecv");
  }
  FORM(MPI_Sendrecv)(sent.place, one, column, peer, 4, received.place, one, column, peer, 4, pair, &status);
  report("MPI_Sendrecv");
  FORM(PMPI_Sendrecv)(sent.place, one, column, peer, 4, received.place, one, column, peer, 4, pair, MPI_STATUS_IGNORE);
  report("PMPI_Sendrecv");
  FORM(MPI_Sendrecv_replace)(received.place, one, column, peer, 5, peer, 5, pair, &status);
  report("MPI_Sendrecv_replace");
#undef BOTH
}

static void FORM(begun)(void) {
  const COUNT one = 1;
  MPI_Request requests[2];
#define SENDS(call)                                                          \
  FORM(MPI_Irecv)(received.place, one, column, peer, 6, pair, &requests[0]); \
  MPI_Barrier(pair);                                                         \
  FORM(call)(sent.place, one, column, peer, 6, pair, &requests[1]);          \
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);                             \
  report(#call);
  SENDS(MPI_Isend)
  SENDS(PMPI_Isend)
  SENDS(MPI_Issend)
  SENDS(MPI_Irsend)
  SENDS(MPI_Ibsend)
#undef SENDS
#define SENDS(call)                                                              \
  FORM(MPI_Recv_init)(received.place, one, column, peer, 7, pair, &requests[0]); \
  FORM(call)(sent.place, one, column, peer, 7, pair, &requests[1]);              \
  for (int turn = 0; turn < 2; turn++) {                                         \
    MPI_Start(&requests[0]);                                                     \
    MPI_Barrier(pair);                                                           \
    MPI_Start(&requests[1]);                                                     \
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);                               \
    report(#call);                                                               \
  }                                                                              \
  MPI_Request_free(&requests[0]);                                                \
  MPI_Request_free(&requests[1]);
  SENDS(MPI_Send_init)
  SENDS(MPI_Ssend_init)
  SENDS(MPI_Rsend_init)
  SENDS(MPI_Bsend_init)
#undef SENDS
}

/* Pieces of two processes: an element, and the one behind the next. */
static void FORM(collective)(void) {
  const COUNT counts[] = {1, 1};
  const PLACE places[] = {0, 2}, bytes[] = {0, 8};
  const MPI_Aint addresses[] = {8, 0};
  const MPI_Datatype types[] = {column, column};
  FORM(MPI_Bcast)(rank == 0 ? sent.place : received.place, 2, next_column, 0, pair);
  report("MPI_Bcast");
  FORM(MPI_Alltoall)(sent.place, 1, next_column, received.place, 1, next_column, pair);
  report("MPI_Alltoall");
  FORM(PMPI_Alltoall)(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received.place, 1, next_column, pair);
  report("PMPI_Alltoall");
  FORM(MPI_Alltoallv)(sent.place, counts, places, next_column, received.place, counts, places, next_column, pair);
  report("MPI_Alltoallv");
  FORM(MPI_Alltoallw)(sent.place, counts, bytes, types, received.place, counts, bytes, types, pair);
  report("MPI_Alltoallw");
  FORM(MPI_Neighbor_alltoall)(sent.place, 1, next_column, received.place, 1, next_column, ring);
  report("MPI_Neighbor_alltoall");
  FORM(MPI_Neighbor_alltoallv)(sent.place, counts, places, next_column, received.place, counts, places, next_column,
                               ring);
  report("MPI_Neighbor_alltoallv");
  FORM(MPI_Neighbor_alltoallw)(sent.place, counts, addresses, types, received.place, counts, addresses, types, ring);
  report("MPI_Neighbor_alltoallw");
  FORM(MPI_Neighbor_allgather)(sent.place, 1, next_column, received.place, 1, next_column, ring);
  report("MPI_Neighbor_allgather");
  FORM(MPI_Neighbor_allgatherv)(sent.place, 1, next_column, received.place, counts, places, next_column, ring);
  report("MPI_Neighbor_allgatherv");
}

static void FORM(packed)(void) {
#define BOTH(packs, unpacks)                                                          \
  for (int far = 0; far < 2; far++) {                                                 \
    unsigned char near[COLUMN_BYTES + 8];                                             \
    void *between = far ? spare.place : near;                                         \
    COUNT to = 8, from = 8;                                                           \
    FORM(packs)(sent.place, 1, column, between, COLUMN_BYTES + 8, &to, pair);         \
    FORM(unpacks)(between, COLUMN_BYTES + 8, &from, received.place, 1, column, pair); \
    hash = hash * 31 + (uint64_t)(to * 7 + from);                                     \
    report(#packs);                                                                   \
  }
  BOTH(MPI_Pack, MPI_Unpack)
  BOTH(PMPI_Pack, PMPI_Unpack)
#undef BOTH
}

/* What bounds a message between two ranks of one host through memory that both map: its bytes copied in and out in
 * pieces, both cores at work at once, without an MPI and without gaps. */
#ifndef PIECES_H
#define PIECES_H

#include <mpi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* Pieces are an eighth of the bytes, within these; places are used again once they are read. */
enum { LEAST_PIECE = 1 << 12, MOST_PIECE = 1 << 14, RING_BYTES = 1 << 18 };

/* One direction: how many bytes were ever put, and taken. */
struct pieces_board {
  _Alignas(128) _Atomic size_t put;
  _Alignas(128) _Atomic size_t taken;
  _Alignas(128) unsigned char ring[RING_BYTES];
};

/* What this rank sends by, and what it receives by; NULL where the two ranks are on two hosts. */
struct pieces {
  struct pieces_board *out, *in;
};

static struct pieces pieces_between_two(int rank) {
  struct pieces boards = {0};
  MPI_Comm host;
  MPI_Win window;
  int ranks, unit;
  MPI_Aint bytes;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &ranks);
  if (ranks == 2) {
    MPI_Win_allocate_shared(sizeof *boards.out, 1, MPI_INFO_NULL, host, &boards.out, &window);
    MPI_Win_shared_query(window, 1 - rank, &bytes, &unit, &boards.in);
    memset(boards.out, 0, sizeof *boards.out);
    MPI_Barrier(host);
  }
  return boards;
}

static inline size_t piece_of(size_t bytes) {
  const size_t eighth = (bytes / 8 + 63) / 64 * 64;
  return eighth < LEAST_PIECE ? LEAST_PIECE : eighth > MOST_PIECE ? MOST_PIECE : eighth;
}

/* A piece ends where the ring does. */
static inline size_t next_piece(size_t at, size_t rest, size_t piece) {
  const size_t to_end = RING_BYTES - at % RING_BYTES;
  const size_t most = piece < to_end ? piece : to_end;
  return rest < most ? rest : most;
}

/* Moves packed bytes [first, first + length) of a message to a place in the ring, or from there. */
typedef void piece_mover(const void *message, size_t first, unsigned char *place, size_t length);

static void pieces_put(struct pieces_board *board, piece_mover *pack, const void *message, size_t bytes, size_t piece) {
  size_t put = atomic_load_explicit(&board->put, memory_order_relaxed);
  for (size_t first = 0, length; first < bytes; first += length) {
    length = next_piece(put, bytes - first, piece);
    while (put + length - atomic_load_explicit(&board->taken, memory_order_acquire) > RING_BYTES)
      __builtin_ia32_pause();
    pack(message, first, board->ring + put % RING_BYTES, length);
    atomic_store_explicit(&board->put, put += length, memory_order_release);
  }
}

static void pieces_take(struct pieces_board *board, piece_mover *unpack, const void *message, size_t bytes,
                        size_t piece) {
  size_t taken = atomic_load_explicit(&board->taken, memory_order_relaxed);
  for (size_t first = 0, length; first < bytes; first += length) {
    length = next_piece(taken, bytes - first, piece);
    while (atomic_load_explicit(&board->put, memory_order_acquire) - taken < length) __builtin_ia32_pause();
    unpack(message, first, board->ring + taken % RING_BYTES, length);
    atomic_store_explicit(&board->taken, taken += length, memory_order_release);
  }
}

#endif

/* Memory that a program takes by MPI_Alloc_mem, and that the processes which it sends elements from there read: each
 * block is a file without a name (nameless-file.h), of which they map what they are told of. There is such memory where
 * messages may go past the MPI, from HEAP_LEAST bytes on. It is there from the beginning, and gone with MPI_Free_mem,
 * whoever has it mapped. Child processes share it (fork(2)). */
#ifndef STOWAGE_HEAP_H
#define STOWAGE_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* A block begins half a page behind its file: elements that are copied between the same places of it and of memory from
 * malloc, which begins 16 bytes behind a page's beginning where it is large, would take ten times as long on a Zen 3,
 * whose rep movsb waits for addresses that are alike but for their pages (docs/notes/2026-11-29-where-they-lie.md). */
enum { HEAP_LEAST = 64 << 10, HEAP_MOST = 64, HEAP_HEAD = 2 << 10, HEAP_PAGE = 4 << 10 };
#define HEAP_NAME "stowage-heap"

/* What a block's file begins with. */
struct heap_head {
  /* Of no other block of any process; 0: the block is gone. */
  _Atomic(uint64_t) id;
};

struct heap_block {
  uint64_t id;
  unsigned char *memory;
  size_t bytes;
  /* By its number in this process; HEAP_NO_FILE: the block is all memory (host-reads.h). */
  int file;
};
enum { HEAP_NO_FILE = -1 };

/* A block; NULL: none of so many bytes can be had. Any thread. */
void *heap_take(size_t bytes);
/* 0: it is none of these. */
int heap_give_back(void *memory);

/* The block that has bytes [first, end), as it is now; 0: none has. */
int heap_block_of(uintptr_t first, uintptr_t end, struct heap_block *block);

#endif

/* Every name that this library stands in front of, a row each; no header of an MPI is needed to read it.
 *
 * CALL(name, words, gate)     MPI_name and PMPI_name, whose parameters are so many words: programs call the one,
 * profilers and Fortran's wrappers the other. None has a floating-point parameter, or a variable number of them
 * COUNTED(name, words, gate)  a CALL, and that with _c behind its name, whose counts are MPI_Count (MPI 4.0,
 * section 2.5.8) INNER(name, words)          a function of a library inside the MPI OWN(name, words)            a
 * function of ours that programs ask for by name
 *
 * Fortran's entries are no rows: those of Open MPI and MPICH, in all three ways, call one of C's two names
 * (tests/device/fortran.f90 asks them). The names of the standard's ABI are the same (MPI 5.0, chapter 20).
 *
 * Through a gate that is closed a call is passed on in the same few instructions. */
#define COUNTED(name, words, gate) CALL(name, words, gate) CALL(name##_c, words, gate)

/* Where an MPI begins and ends. */
CALL(Init, 2, GATE_OPEN)
CALL(Init_thread, 4, GATE_OPEN)
CALL(Finalize, 0, GATE_OPEN)
CALL(Session_init, 3, GATE_OPEN)
CALL(Session_finalize, 1, GATE_OPEN)

/* What tells of datatypes. */
CALL(Type_commit, 1, GATE_OPEN)
CALL(Type_dup, 2, GATE_OPEN)
CALL(Type_free, 1, GATE_OPEN)
CALL(Type_get_contents, 7, GATE_OPEN)
CALL(Type_get_contents_c, 9, GATE_OPEN)

/* Memory. */
CALL(Alloc_mem, 3, GATE_OPEN)
CALL(Free_mem, 1, GATE_OPEN)

COUNTED(Pack, 7, GATE_OPEN)
COUNTED(Unpack, 7, GATE_OPEN)

/* Messages with a buffer that may lie on a device. */
COUNTED(Send, 6, GATE_SENDS)
COUNTED(Ssend, 6, GATE_SENDS)
COUNTED(Rsend, 6, GATE_SENDS)
COUNTED(Bsend, 6, GATE_DEVICE)
COUNTED(Recv, 7, GATE_RECEIVES)
COUNTED(Mrecv, 5, GATE_RECEIVES)
COUNTED(Sendrecv, 12, GATE_SENDS)
COUNTED(Sendrecv_replace, 9, GATE_SENDS)
COUNTED(Isend, 7, GATE_SENDS)
COUNTED(Issend, 7, GATE_SENDS)
COUNTED(Irsend, 7, GATE_SENDS)
COUNTED(Ibsend, 7, GATE_DEVICE)
COUNTED(Send_init, 7, GATE_SENDS)
COUNTED(Ssend_init, 7, GATE_SENDS)
COUNTED(Rsend_init, 7, GATE_SENDS)
COUNTED(Bsend_init, 7, GATE_DEVICE)
COUNTED(Irecv, 7, GATE_RECEIVES)
COUNTED(Recv_init, 7, GATE_RECEIVES)
COUNTED(Imrecv, 5, GATE_RECEIVES)
COUNTED(Isendrecv, 12, GATE_RECEIVES)
COUNTED(Isendrecv_replace, 9, GATE_RECEIVES)
COUNTED(Bcast, 5, GATE_DEVICE)
COUNTED(Alltoall, 7, GATE_DEVICE)
COUNTED(Alltoallv, 9, GATE_DEVICE)
COUNTED(Alltoallw, 9, GATE_DEVICE)
COUNTED(Neighbor_alltoall, 7, GATE_DEVICE)
COUNTED(Neighbor_alltoallv, 9, GATE_DEVICE)
COUNTED(Neighbor_alltoallw, 9, GATE_DEVICE)
COUNTED(Neighbor_allgather, 7, GATE_DEVICE)
COUNTED(Neighbor_allgatherv, 8, GATE_DEVICE)

/* What starts, completes and frees the requests of such messages. */
CALL(Start, 1, GATE_STARTS)
CALL(Startall, 2, GATE_STARTS)
CALL(Wait, 2, GATE_OPERATIONS)
CALL(Test, 3, GATE_OPERATIONS)
CALL(Waitall, 3, GATE_OPERATIONS)
CALL(Testall, 4, GATE_OPERATIONS)
CALL(Waitany, 4, GATE_OPERATIONS)
CALL(Testany, 5, GATE_OPERATIONS)
CALL(Waitsome, 5, GATE_OPERATIONS)
CALL(Testsome, 5, GATE_OPERATIONS)
CALL(Request_get_status, 3, GATE_OPERATIONS)
CALL(Request_get_status_any, 5, GATE_OPERATIONS)
CALL(Request_get_status_all, 4, GATE_OPERATIONS)
CALL(Request_get_status_some, 5, GATE_OPERATIONS)
CALL(Request_free, 1, GATE_STARTS)

/* Files: what changes a view, and what reads and writes elements. */
CALL(File_set_view, 6, GATE_OPEN)
CALL(File_close, 1, GATE_OPEN)
COUNTED(File_read, 5, GATE_OPEN)
COUNTED(File_write, 5, GATE_OPEN)
COUNTED(File_read_at, 6, GATE_OPEN)
COUNTED(File_write_at, 6, GATE_OPEN)
COUNTED(File_read_all, 5, GATE_OPEN)
COUNTED(File_write_all, 5, GATE_OPEN)
COUNTED(File_read_at_all, 6, GATE_OPEN)
COUNTED(File_write_at_all, 6, GATE_OPEN)
COUNTED(File_read_shared, 5, GATE_OPEN)
COUNTED(File_write_shared, 5, GATE_OPEN)
COUNTED(File_read_ordered, 5, GATE_OPEN)
COUNTED(File_write_ordered, 5, GATE_OPEN)
COUNTED(File_iread, 5, GATE_OPEN)
COUNTED(File_iwrite, 5, GATE_OPEN)
COUNTED(File_iread_at, 6, GATE_OPEN)
COUNTED(File_iwrite_at, 6, GATE_OPEN)
COUNTED(File_iread_all, 5, GATE_OPEN)
COUNTED(File_iwrite_all, 5, GATE_OPEN)
COUNTED(File_iread_at_all, 6, GATE_OPEN)
COUNTED(File_iwrite_at_all, 6, GATE_OPEN)
COUNTED(File_iread_shared, 5, GATE_OPEN)
COUNTED(File_iwrite_shared, 5, GATE_OPEN)
COUNTED(File_read_all_begin, 4, GATE_OPEN)
CALL(File_read_all_end, 3, GATE_OPEN)
COUNTED(File_write_all_begin, 4, GATE_OPEN)
CALL(File_write_all_end, 3, GATE_OPEN)
COUNTED(File_read_at_all_begin, 5, GATE_OPEN)
CALL(File_read_at_all_end, 3, GATE_OPEN)
COUNTED(File_write_at_all_begin, 5, GATE_OPEN)
CALL(File_write_at_all_end, 3, GATE_OPEN)
COUNTED(File_read_ordered_begin, 4, GATE_OPEN)
CALL(File_read_ordered_end, 3, GATE_OPEN)
COUNTED(File_write_ordered_begin, 4, GATE_OPEN)
CALL(File_write_ordered_end, 3, GATE_OPEN)

/* Windows: what moves elements, and what completes it at the origin. */
COUNTED(Put, 8, GATE_OPEN)
COUNTED(Get, 8, GATE_OPEN)
COUNTED(Rput, 9, GATE_OPEN)
COUNTED(Rget, 9, GATE_OPEN)
CALL(Win_fence, 2, GATE_OPEN)
CALL(Win_complete, 1, GATE_OPEN)
CALL(Win_unlock, 2, GATE_OPEN)
CALL(Win_unlock_all, 1, GATE_OPEN)
CALL(Win_flush, 2, GATE_OPEN)
CALL(Win_flush_all, 1, GATE_OPEN)
CALL(Win_flush_local, 2, GATE_OPEN)
CALL(Win_flush_local_all, 1, GATE_OPEN)
CALL(Win_free, 1, GATE_OPEN)

/* Open MPI's convertors. */
INNER(opal_convertor_prepare_for_send, 4)
INNER(opal_convertor_prepare_for_recv, 4)
INNER(opal_convertor_set_position_nocheck, 2)
INNER(opal_convertor_clone, 3)
INNER(opal_convertor_raw, 4)
INNER(opal_convertor_compute_remote_size, 1)

/* UCX's datatypes, of which MPICH makes one for each of its own. */
INNER(ucp_dt_create_generic, 3)
INNER(ucp_dt_destroy, 1)

OWN(stowage_interposer_counts, 1)
OWN(stowage_interposer_pause, 1)
OWN(stowage_interposer_entry, 1)
OWN(stowage_interposer_spent, 5)

#undef COUNTED

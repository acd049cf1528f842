! The same exchanges through one of Fortran's three ways to MPI: mpif.h, mpi or mpi_f08, chosen when it is compiled. Prints sums that
! are the same natively and by our code.
program exchanges
#if defined(WITH_F08)
  use mpi_f08
#elif defined(WITH_MODULE)
  use mpi
#endif
  implicit none
#if defined(WITH_MPIF)
  include 'mpif.h'
#endif
#if defined(WITH_F08)
  type(MPI_Datatype) :: column, face, copy
  type(MPI_Request) :: requests(2)
#else
  integer :: column, face, copy, requests(2)
#endif
  integer, parameter :: n = 48
  integer :: error, rank, ranks, next, previous, turn, position, provided
  double precision :: field(n, n, 4), other(n, n, 4)
  character :: packed(8 * n * 4 + 64)

  call MPI_Init_thread(MPI_THREAD_SINGLE, provided, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  do turn = 1, 300
    call fill(field, rank + turn)
    other = -1
    ! A row: every n-th double. A face of a box. A copy of a handle, freed in mid-message.
    call MPI_Type_vector(n, 1, n, MPI_DOUBLE_PRECISION, column, error)
    call MPI_Type_commit(column, error)
    call MPI_Type_create_subarray(3, [n, n, 4], [n, 2, 3], [0, 5, 1], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, face, error)
    call MPI_Type_commit(face, error)
    call MPI_Type_dup(face, copy, error)
    call MPI_Sendrecv(field(7, 1, 2), 1, column, next, 1, other(9, 1, 1), 1, column, previous, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, error)
    call MPI_Irecv(other, 1, copy, previous, 2, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(field, 1, face, next, 2, MPI_COMM_WORLD, requests(2), error)
    call MPI_Type_free(copy, error)
    call MPI_Type_free(face, error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    position = 0
    call MPI_Pack(field(3, 1, 3), 1, column, packed, size(packed), position, MPI_COMM_WORLD, error)
    position = 0
    call MPI_Unpack(packed, size(packed), position, other(11, 1, 4), 1, column, MPI_COMM_WORLD, error)
    call MPI_Type_free(column, error)
  end do
  if (rank == 0) print '(a, f20.3)', 'sum', sum(other)
  call MPI_Finalize(error)
contains
  subroutine fill(values, salt)
    double precision, intent(out) :: values(:, :, :)
    integer, intent(in) :: salt
    integer :: i, j, k
    do k = 1, size(values, 3)
      do j = 1, size(values, 2)
        do i = 1, size(values, 1)
          values(i, j, k) = i + 100d0 * j + 10000d0 * k + salt / 8d0
        end do
      end do
    end do
  end subroutine
end program

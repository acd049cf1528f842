! Each kind of call through one of Fortran's three ways to MPI (mpif.h, mpi, mpi_f08) with buffers in memory of a device
! or of the host: fortran HOW. Prints sums of what rank 0 received, the same in both. A call that did not reach the C
! entries would meet memory that the MPI may not touch.
module cuda
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function cuInit(flags) bind(C, name="cuInit")
      import
      integer(c_int), value :: flags
    end function
    integer(c_int) function cuDevicePrimaryCtxRetain(context, device) bind(C, name="cuDevicePrimaryCtxRetain")
      import
      type(c_ptr) :: context
      integer(c_int), value :: device
    end function
    integer(c_int) function cuCtxPushCurrent(context) bind(C, name="cuCtxPushCurrent_v2")
      import
      type(c_ptr), value :: context
    end function
    integer(c_int) function cuMemAlloc(address, bytes) bind(C, name="cuMemAlloc_v2")
      import
      type(c_ptr) :: address
      integer(c_size_t), value :: bytes
    end function
    integer(c_int) function cuMemcpyHtoD(to, from, bytes) bind(C, name="cuMemcpyHtoD_v2")
      import
      type(c_ptr), value :: to, from
      integer(c_size_t), value :: bytes
    end function
    integer(c_int) function cuMemcpyDtoH(to, from, bytes) bind(C, name="cuMemcpyDtoH_v2")
      import
      type(c_ptr), value :: to, from
      integer(c_size_t), value :: bytes
    end function
  end interface
end module

program each_call
  use cuda
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
  type(MPI_Datatype) :: column, next_column, types(2)
  type(MPI_Request) :: requests(2)
  type(MPI_Message) :: matched
  type(MPI_Comm) :: ring
#else
  integer :: column, next_column, types(2), requests(2), matched, ring
#endif
  integer, parameter :: rows = 8, columns = 40
  integer(c_size_t), parameter :: bytes = 8_c_size_t * rows * columns
  double precision, target :: from_host(rows, columns), to_host(rows, columns), checked(rows, columns)
  double precision, pointer, contiguous :: from(:, :), to(:, :)
  integer :: error, rank, peer, position, salt = 0, index
  integer :: nowhere(2) = [0, 16], one(2) = [1, 1], places(2) = [0, 2]
  logical :: flag, on_device
  integer(MPI_ADDRESS_KIND) :: addresses(2) = [8, 0]
  character(len=8) :: how
  character :: packed(8 * columns)
  type(c_ptr) :: context

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  peer = 1 - rank
  call get_command_argument(1, how)
  on_device = how == 'device'
  from => from_host
  to => to_host
  if (on_device) then
    call must(cuInit(0))
    call must(cuDevicePrimaryCtxRetain(context, 0))
    call must(cuCtxPushCurrent(context))
    from => on_the_device()
    to => on_the_device()
  end if
  call MPI_Type_vector(columns, 1, rows, MPI_DOUBLE_PRECISION, column, error)
  call MPI_Type_create_resized(column, 0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND, next_column, error)
  call MPI_Type_commit(column, error)
  call MPI_Type_commit(next_column, error)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [2], [.true.], .false., ring, error)
  call fill()

  call MPI_Sendrecv(from, 1, column, peer, 1, to, 1, column, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call report('Sendrecv')
  call MPI_Sendrecv_replace(to, 1, column, peer, 1, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call report('Sendrecv_replace')
  if (rank == 0) then
    call MPI_Send(from, 1, column, peer, 2, MPI_COMM_WORLD, error)
    call MPI_Ssend(from, 1, column, peer, 2, MPI_COMM_WORLD, error)
    call MPI_Recv(to, 1, column, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  else
    call MPI_Recv(to, 1, column, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Recv(to, 1, column, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Send(from, 1, column, peer, 2, MPI_COMM_WORLD, error)
  end if
  call report('Recv')
  call MPI_Irecv(to, 1, column, peer, 3, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(from, 1, column, peer, 3, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call report('Waitall')
  call MPI_Irecv(to, 1, column, peer, 3, MPI_COMM_WORLD, requests(1), error)
  call MPI_Issend(from, 1, column, peer, 3, MPI_COMM_WORLD, requests(2), error)
  call MPI_Wait(requests(2), MPI_STATUS_IGNORE, error)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE, error)
  end do
  call report('Test')
  call MPI_Irecv(to, 1, column, peer, 3, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(from, 1, column, peer, 3, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE, error)
  call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE, error)
  call report('Waitany')
  call MPI_Recv_init(to, 1, column, peer, 4, MPI_COMM_WORLD, requests(1), error)
  call MPI_Send_init(from, 1, column, peer, 4, MPI_COMM_WORLD, requests(2), error)
  call MPI_Startall(2, requests, error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call report('Startall')
  call MPI_Request_free(requests(1), error)
  call MPI_Request_free(requests(2), error)
  call MPI_Isend(from, 1, column, peer, 5, MPI_COMM_WORLD, requests(2), error)
  call MPI_Mprobe(peer, 5, MPI_COMM_WORLD, matched, MPI_STATUS_IGNORE, error)
  call MPI_Mrecv(to, 1, column, matched, MPI_STATUS_IGNORE, error)
  call MPI_Wait(requests(2), MPI_STATUS_IGNORE, error)
  call report('Mrecv')
  if (rank == 0) call MPI_Bcast(from, 1, column, 0, MPI_COMM_WORLD, error)
  if (rank /= 0) call MPI_Bcast(to, 1, column, 0, MPI_COMM_WORLD, error)
  call report('Bcast')
  types = next_column
  call MPI_Alltoall(from, 1, next_column, to, 1, next_column, MPI_COMM_WORLD, error)
  call report('Alltoall')
  call MPI_Alltoallv(from, one, places, next_column, to, one, places, next_column, MPI_COMM_WORLD, error)
  call report('Alltoallv')
  call MPI_Alltoallw(from, one, nowhere, types, to, one, nowhere, types, MPI_COMM_WORLD, error)
  call report('Alltoallw')
  call MPI_Neighbor_alltoall(from, 1, next_column, to, 1, next_column, ring, error)
  call report('Neighbor_alltoall')
#if !defined(ONLY_GRAPHS)
  call MPI_Neighbor_alltoallw(from, one, addresses, types, to, one, addresses, types, ring, error)
  call report('Neighbor_alltoallw')
#endif
  call MPI_Neighbor_allgather(from, 1, next_column, to, 1, next_column, ring, error)
  call report('Neighbor_allgather')
  position = 0
  call MPI_Pack(from, 1, column, packed, size(packed), position, MPI_COMM_WORLD, error)
  position = 0
  call MPI_Unpack(packed, size(packed), position, to, 1, column, MPI_COMM_WORLD, error)
  call report('Unpack')
#if defined(WITH_F08) && defined(LARGE_COUNTS)
  call MPI_Sendrecv(from, 1_MPI_COUNT_KIND, column, peer, 6, to, 1_MPI_COUNT_KIND, column, peer, 6, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, error)
  call report('Sendrecv_c')
  call MPI_Irecv(to, 1_MPI_COUNT_KIND, column, peer, 7, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(from, 1_MPI_COUNT_KIND, column, peer, 7, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call report('Irecv_c')
#endif
  call MPI_Finalize(error)
contains
  subroutine must(status)
    integer(c_int), intent(in) :: status
    if (status /= 0) stop 1
  end subroutine

  function on_the_device() result(values)
    double precision, pointer, contiguous :: values(:, :)
    type(c_ptr) :: address
    call must(cuMemAlloc(address, bytes))
    call c_f_pointer(address, values, [rows, columns])
  end function

  subroutine fill()
    integer :: i, j
    do j = 1, columns
      do i = 1, rows
        from_host(i, j) = i + 100d0 * j + 10000d0 * rank + salt / 8d0
      end do
    end do
    salt = salt + 1
    to_host = -1
    if (.not. on_device) return
    call must(cuMemcpyHtoD(c_loc(from), c_loc(from_host), bytes))
    call must(cuMemcpyHtoD(c_loc(to), c_loc(to_host), bytes))
  end subroutine

  subroutine report(name)
    character(len=*), intent(in) :: name
    if (on_device) call must(cuMemcpyDtoH(c_loc(checked), c_loc(to), bytes))
    if (.not. on_device) checked = to
    if (rank == 0) print '(a, f20.3)', name, sum(checked)
    call fill()
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end subroutine
end program

! A plane of a cube of doubles, packed by libstowage.
program plane
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    type(c_ptr) function stowage_builder_new(rule) bind(c)
      import; integer(c_int), value :: rule
    end function
    integer(c_int32_t) function stowage_named(builder, name) bind(c)
      import; type(c_ptr), value :: builder; character(kind=c_char) :: name(*)
    end function
    integer(c_int32_t) function stowage_subarray(builder, n, sizes, subsizes, starts, order, child) bind(c)
      import; type(c_ptr), value :: builder; integer(c_int64_t), value :: n; integer(c_int64_t) :: sizes(*)
      integer(c_int64_t) :: subsizes(*), starts(*); integer(c_int), value :: order; integer(c_int32_t), value :: child
    end function
    integer(c_int) function stowage_commit(context, builder, node, type) bind(c)
      import; type(c_ptr), value :: context, builder; integer(c_int32_t), value :: node; type(c_ptr) :: type
    end function
    integer(c_int) function stowage_pack(source, count, type, target, bytes) bind(c)
      import; real(c_double) :: source(*), target(*); integer(c_int64_t), value :: count, bytes
      type(c_ptr), value :: type
    end function
  end interface
  integer, parameter :: n = 8
  real(c_double) :: cube(n, n, n), packed(n * n)
  type(c_ptr) :: builder, type
  integer(c_int32_t) :: node
  integer :: i
  cube = reshape([(real(i, c_double), i = 1, n**3)], [n, n, n])
  builder = stowage_builder_new(0)
  node = stowage_subarray(builder, 3_c_int64_t, int([n, n, n], c_int64_t), int([1, n, n], c_int64_t), &
                          int([2, 0, 0], c_int64_t), 1, stowage_named(builder, "MPI_DOUBLE" // c_null_char))
  if (stowage_commit(c_null_ptr, builder, node, type) /= 0) stop 1
  if (stowage_pack(cube, 1_c_int64_t, type, packed, int(8 * n * n, c_int64_t)) /= 0) stop 2
  if (any(packed /= reshape(cube(3, :, :), [n * n]))) stop 3
  print '(a, i0, a)', "plane: ", size(packed), " values"
end program

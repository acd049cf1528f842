! Packs a face of a field, and puts it into another field.
program face_example
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_double
  use face_code_module
  implicit none
  real(c_double) :: field(10, 20, 30), copy(10, 20, 30), packed(10 * 30)
  integer :: i, j, k

  do k = 1, 30
    do j = 1, 20
      do i = 1, 10
        field(i, j, k) = i + 100 * j + 10000 * k
      end do
    end do
  end do
  copy = 0
  call face_pack(field, packed, 1_c_int64_t, 0_c_int64_t, face_size)
  if (any(packed /= reshape(field(:, 5, :), [300]))) stop 1
  call face_unpack(packed, copy, 1_c_int64_t, 0_c_int64_t, face_size)
  if (any(copy(:, 5, :) /= field(:, 5, :))) stop 2
  if (count(copy /= 0) /= 300) stop 3
  print '(a, i0, a)', 'packed and unpacked ', face_size, ' bytes'
end program face_example

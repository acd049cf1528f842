/** How the values of a basic type are stored: in this machine's bytes, and in external32's. */
export interface External {
  /** Bytes of one value here. Complex types are two. */
  readonly nativeBytes: number;
  readonly externalBytes: number;
  readonly values: 1 | 2;
  /** Integers may change their width; a long double changes its format; everything else turns its bytes round. */
  readonly kind: "bytes" | "signed" | "unsigned" | "long double";
}

const bytes = (width: number, values: 1 | 2 = 1): External => ({
  nativeBytes: width,
  externalBytes: width,
  values,
  kind: "bytes",
});

const LONG_DOUBLE: External = { nativeBytes: 16, externalBytes: 16, values: 1, kind: "long double" };

/**
 * Sizes of external32 (MPI 4.1, section 14.5.2, table 14.2): big-endian, integers in two's complement, IEEE 754
 * numbers. Beside the System V x86-64 ABI only three sorts differ: longs have 4 bytes, wide characters 2, and a long
 * double is an IEEE binary128 where the machine has 80 bits.
 */
export const EXTERNAL32: Readonly<Record<string, External>> = {
  MPI_PACKED: bytes(1),
  MPI_BYTE: bytes(1),
  MPI_CHAR: bytes(1),
  MPI_UNSIGNED_CHAR: bytes(1),
  MPI_SIGNED_CHAR: bytes(1),
  MPI_WCHAR: { nativeBytes: 4, externalBytes: 2, values: 1, kind: "unsigned" },
  MPI_SHORT: bytes(2),
  MPI_UNSIGNED_SHORT: bytes(2),
  MPI_INT: bytes(4),
  MPI_LONG: { nativeBytes: 8, externalBytes: 4, values: 1, kind: "signed" },
  MPI_UNSIGNED: bytes(4),
  MPI_UNSIGNED_LONG: { nativeBytes: 8, externalBytes: 4, values: 1, kind: "unsigned" },
  MPI_LONG_LONG_INT: bytes(8),
  MPI_UNSIGNED_LONG_LONG: bytes(8),
  MPI_FLOAT: bytes(4),
  MPI_DOUBLE: bytes(8),
  MPI_LONG_DOUBLE: LONG_DOUBLE,
  MPI_C_BOOL: bytes(1),
  MPI_INT8_T: bytes(1),
  MPI_INT16_T: bytes(2),
  MPI_INT32_T: bytes(4),
  MPI_INT64_T: bytes(8),
  MPI_UINT8_T: bytes(1),
  MPI_UINT16_T: bytes(2),
  MPI_UINT32_T: bytes(4),
  MPI_UINT64_T: bytes(8),
  MPI_AINT: bytes(8),
  MPI_COUNT: bytes(8),
  MPI_OFFSET: bytes(8),
  MPI_C_COMPLEX: bytes(4, 2),
  MPI_C_DOUBLE_COMPLEX: bytes(8, 2),
  MPI_C_LONG_DOUBLE_COMPLEX: { ...LONG_DOUBLE, values: 2 },
  MPI_CXX_BOOL: bytes(1),
  MPI_CXX_FLOAT_COMPLEX: bytes(4, 2),
  MPI_CXX_DOUBLE_COMPLEX: bytes(8, 2),
  MPI_CXX_LONG_DOUBLE_COMPLEX: { ...LONG_DOUBLE, values: 2 },
};

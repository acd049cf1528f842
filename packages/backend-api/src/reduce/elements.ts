/** How an operation reads the bytes of an element. "byte" is bits alone. */
export type ElementKind = "signed" | "unsigned" | "float" | "complex" | "boolean" | "byte";

/**
 * The width and the meaning of one element of a reduction. Numbers are little-endian; a complex number is its real
 * part, then its imaginary part.
 */
export interface ElementFacts {
  /** The bytes of one element. */
  readonly sizeBytes: number;
  /** How operations read the bytes. */
  readonly kind: ElementKind;
}

/** Every element that moves can reduce, by name. Complex numbers are named by the bits of both parts together. */
export const ELEMENTS = Object.freeze({
  int8: { sizeBytes: 1, kind: "signed" },
  int16: { sizeBytes: 2, kind: "signed" },
  int32: { sizeBytes: 4, kind: "signed" },
  int64: { sizeBytes: 8, kind: "signed" },
  uint8: { sizeBytes: 1, kind: "unsigned" },
  uint16: { sizeBytes: 2, kind: "unsigned" },
  uint32: { sizeBytes: 4, kind: "unsigned" },
  uint64: { sizeBytes: 8, kind: "unsigned" },
  float32: { sizeBytes: 4, kind: "float" },
  float64: { sizeBytes: 8, kind: "float" },
  complex64: { sizeBytes: 8, kind: "complex" },
  complex128: { sizeBytes: 16, kind: "complex" },
  boolean: { sizeBytes: 1, kind: "boolean" },
  byte: { sizeBytes: 1, kind: "byte" },
} as const satisfies Record<string, ElementFacts>);

/** The name of an element that moves can reduce, such as "float64". */
export type Element = keyof typeof ELEMENTS;
/** The names of all elements. */
export const ELEMENT_NAMES: readonly Element[] = Object.freeze(Object.keys(ELEMENTS) as Element[]);

/** A group of basic types that MPI's operations take (MPI 4.1, section 6.9.2). */
export type TypeGroup = "C integer" | "floating point" | "complex" | "logical" | "byte" | "multi-language";

/** The basic types of a signature that can be reduced, MPI_LONG_DOUBLE and its complex type excepted. */
const BASIC: Readonly<Record<string, readonly [TypeGroup, Element]>> = Object.freeze({
  MPI_SIGNED_CHAR: ["C integer", "int8"],
  MPI_UNSIGNED_CHAR: ["C integer", "uint8"],
  MPI_SHORT: ["C integer", "int16"],
  MPI_UNSIGNED_SHORT: ["C integer", "uint16"],
  MPI_INT: ["C integer", "int32"],
  MPI_UNSIGNED: ["C integer", "uint32"],
  MPI_LONG: ["C integer", "int64"],
  MPI_UNSIGNED_LONG: ["C integer", "uint64"],
  MPI_LONG_LONG_INT: ["C integer", "int64"],
  MPI_UNSIGNED_LONG_LONG: ["C integer", "uint64"],
  MPI_INT8_T: ["C integer", "int8"],
  MPI_INT16_T: ["C integer", "int16"],
  MPI_INT32_T: ["C integer", "int32"],
  MPI_INT64_T: ["C integer", "int64"],
  MPI_UINT8_T: ["C integer", "uint8"],
  MPI_UINT16_T: ["C integer", "uint16"],
  MPI_UINT32_T: ["C integer", "uint32"],
  MPI_UINT64_T: ["C integer", "uint64"],
  MPI_AINT: ["multi-language", "int64"],
  MPI_COUNT: ["multi-language", "int64"],
  MPI_OFFSET: ["multi-language", "int64"],
  MPI_FLOAT: ["floating point", "float32"],
  MPI_DOUBLE: ["floating point", "float64"],
  MPI_C_COMPLEX: ["complex", "complex64"],
  MPI_C_DOUBLE_COMPLEX: ["complex", "complex128"],
  MPI_CXX_FLOAT_COMPLEX: ["complex", "complex64"],
  MPI_CXX_DOUBLE_COMPLEX: ["complex", "complex128"],
  MPI_C_BOOL: ["logical", "boolean"],
  MPI_CXX_BOOL: ["logical", "boolean"],
  MPI_BYTE: ["byte", "byte"],
});

export const basicElement = (name: string): readonly [TypeGroup, Element] | undefined =>
  Object.hasOwn(BASIC, name) ? BASIC[name] : undefined;

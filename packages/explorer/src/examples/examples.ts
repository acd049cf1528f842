/** A small datatype to begin with. */
export interface Example {
  readonly name: string;
  /** As a document. */
  readonly type: unknown;
  readonly count: number;
}

export interface ExampleGroup {
  readonly name: string;
  readonly examples: readonly Example[];
}

const example = (name: string, type: unknown, count = 1): Example => ({ name, type, count });

/** What beginners ask for, by what they have in hand; the type of each fits into one look. */
export const EXAMPLE_GROUPS: readonly ExampleGroup[] = [
  {
    name: "Lists of numbers",
    examples: [
      example("a contiguous run", { kind: "contiguous", count: 12, child: "MPI_INT" }),
      example("every other number", { kind: "vector", count: 8, blocklength: 1, stride: 2, child: "MPI_DOUBLE" }),
      example("numbers at listed places", {
        ...{ kind: "indexed", blocklengths: [2, 1, 3, 1], displacements: [0, 5, 9, 15], child: "MPI_INT" },
      }),
    ],
  },
  {
    name: "Parts of a matrix",
    examples: [
      example("a column of a matrix", { kind: "vector", count: 8, blocklength: 1, stride: 10, child: "MPI_DOUBLE" }),
      example(
        "columns one after another",
        {
          ...{ kind: "resized", lb: 0, extent: 8 },
          child: { kind: "vector", count: 8, blocklength: 1, stride: 10, child: "MPI_DOUBLE" },
        },
        3,
      ),
      example("a box inside a matrix", {
        ...{ kind: "subarray", sizes: [8, 10], subsizes: [4, 5], starts: [2, 3], order: "C", child: "MPI_DOUBLE" },
      }),
      example("the upper triangle of a matrix", {
        ...{ kind: "indexed", blocklengths: [8, 7, 6, 5, 4, 3, 2, 1], displacements: [0, 9, 18, 27, 36, 45, 54, 63] },
        child: "MPI_FLOAT",
      }),
    ],
  },
  {
    name: "Faces of a cube, as a halo exchange sends them",
    examples: [
      example("a face of whole rows", {
        ...{ kind: "subarray", sizes: [6, 6, 6], subsizes: [1, 6, 6], starts: [5, 0, 0], order: "C" },
        child: "MPI_FLOAT",
      }),
      example("a face of single elements", {
        ...{ kind: "subarray", sizes: [6, 6, 6], subsizes: [6, 6, 1], starts: [0, 0, 5], order: "C" },
        child: "MPI_FLOAT",
      }),
    ],
  },
  {
    name: "Records",
    examples: [
      example(
        "a C struct with padding",
        {
          kind: "struct",
          blocklengths: [1, 1, 3],
          displacements: [0, 8, 16],
          children: ["MPI_CHAR", "MPI_DOUBLE", "MPI_INT"],
        },
        3,
      ),
      example(
        "one field of an array of structs",
        {
          ...{ kind: "resized", lb: 0, extent: 32 },
          child: { kind: "hindexed", blocklengths: [1], displacements: [8], child: "MPI_DOUBLE" },
        },
        6,
      ),
    ],
  },
  {
    name: "Distributed arrays",
    examples: [
      example("a process's block of a matrix", {
        ...{ kind: "darray", size: 4, rank: 1, gsizes: [8, 8], distribs: ["block", "block"], dargs: [null, null] },
        ...{ psizes: [2, 2], order: "C", child: "MPI_DOUBLE" },
      }),
      example("a process's rows, dealt round", {
        ...{ kind: "darray", size: 3, rank: 1, gsizes: [12, 6], distribs: ["cyclic", "none"], dargs: [2, null] },
        ...{ psizes: [3, 1], order: "C", child: "MPI_INT" },
      }),
    ],
  },
];

/** The example of a name; undefined where there is none. */
export const exampleOf = (name: string): Example | undefined =>
  EXAMPLE_GROUPS.flatMap(({ examples }) => examples).find((each) => each.name === name);

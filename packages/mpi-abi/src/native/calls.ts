/** Memory for a call to read or write, by the view itself. */
export type Pointer = ArrayBufferView;

/**
 * The calls of MPI that this package makes. Each returns an error code; handles and addresses are numbers, outputs go
 * to the views passed for them. MPI 4.1, chapters 5 (datatypes), 9 (errors), 11 (initialisation).
 */
export interface Calls {
  MPI_Initialized(flag: Pointer): number;
  MPI_Finalized(flag: Pointer): number;
  MPI_Init_thread(argc: number, argv: number, required: number, provided: Pointer): number;
  MPI_Query_thread(provided: Pointer): number;
  MPI_Finalize(): number;
  MPI_Comm_set_errhandler(comm: number, errhandler: number): number;
  MPI_Error_class(code: number, errorClass: Pointer): number;
  MPI_Error_string(code: number, text: Pointer, length: Pointer): number;
  MPI_Type_contiguous(count: number, child: number, made: Pointer): number;
  MPI_Type_vector(count: number, blocklength: number, stride: number, child: number, made: Pointer): number;
  MPI_Type_create_hvector(count: number, blocklength: number, stride: number, child: number, made: Pointer): number;
  MPI_Type_indexed(count: number, lengths: Pointer, displacements: Pointer, child: number, made: Pointer): number;
  MPI_Type_create_hindexed(count: number, lengths: Pointer, bytes: Pointer, child: number, made: Pointer): number;
  MPI_Type_create_indexed_block(count: number, length: number, places: Pointer, child: number, made: Pointer): number;
  MPI_Type_create_hindexed_block(count: number, length: number, bytes: Pointer, child: number, made: Pointer): number;
  MPI_Type_create_struct(count: number, lengths: Pointer, bytes: Pointer, children: Pointer, made: Pointer): number;
  MPI_Type_create_subarray(
    dimensions: number,
    sizes: Pointer,
    subsizes: Pointer,
    starts: Pointer,
    order: number,
    child: number,
    made: Pointer,
  ): number;
  MPI_Type_create_darray(
    size: number,
    rank: number,
    dimensions: number,
    gsizes: Pointer,
    distribs: Pointer,
    dargs: Pointer,
    psizes: Pointer,
    order: number,
    child: number,
    made: Pointer,
  ): number;
  MPI_Type_create_resized(child: number, lowerBound: number, extent: number, made: Pointer): number;
  MPI_Type_dup(child: number, made: Pointer): number;
  MPI_Type_commit(datatype: Pointer): number;
  MPI_Type_free(datatype: Pointer): number;
  MPI_Type_get_name(datatype: number, name: Pointer, length: Pointer): number;
  MPI_Type_size_x(datatype: number, size: Pointer): number;
  MPI_Type_get_extent_x(datatype: number, lowerBound: Pointer, extent: Pointer): number;
  MPI_Type_get_true_extent_x(datatype: number, lowerBound: Pointer, extent: Pointer): number;
  MPI_Type_get_envelope(
    datatype: number,
    integers: Pointer,
    addresses: Pointer,
    datatypes: Pointer,
    combiner: Pointer,
  ): number;
  MPI_Type_get_contents(
    datatype: number,
    maxIntegers: number,
    maxAddresses: number,
    maxDatatypes: number,
    integers: Pointer,
    addresses: Pointer,
    datatypes: Pointer,
  ): number;
  MPI_Pack_size(count: number, datatype: number, comm: number, size: Pointer): number;
  MPI_Pack(
    from: number,
    count: number,
    datatype: number,
    to: number,
    toBytes: number,
    position: number,
    comm: number,
  ): number;
  MPI_Unpack(
    from: number,
    fromBytes: number,
    position: number,
    to: number,
    count: number,
    datatype: number,
    comm: number,
  ): number;
}

/** Calls of MPI 4.0 for counts beyond 2^31 - 1: a library may lack them. */
export interface LargeCalls {
  MPI_Type_contiguous_c(count: number, child: number, made: Pointer): number;
  MPI_Type_vector_c(count: number, blocklength: number, stride: number, child: number, made: Pointer): number;
  MPI_Type_create_hvector_c(count: number, blocklength: number, stride: number, child: number, made: Pointer): number;
  MPI_Type_indexed_c(count: number, lengths: Pointer, displacements: Pointer, child: number, made: Pointer): number;
  MPI_Type_create_hindexed_c(count: number, lengths: Pointer, bytes: Pointer, child: number, made: Pointer): number;
  MPI_Type_create_indexed_block_c(count: number, length: number, places: Pointer, child: number, made: Pointer): number;
  MPI_Type_create_hindexed_block_c(count: number, length: number, bytes: Pointer, child: number, made: Pointer): number;
  MPI_Type_create_struct_c(count: number, lengths: Pointer, bytes: Pointer, children: Pointer, made: Pointer): number;
  MPI_Type_create_subarray_c: Calls["MPI_Type_create_subarray"];
  MPI_Type_create_darray_c: Calls["MPI_Type_create_darray"];
  MPI_Type_get_envelope_c(
    datatype: number,
    integers: Pointer,
    addresses: Pointer,
    largeCounts: Pointer,
    datatypes: Pointer,
    combiner: Pointer,
  ): number;
  MPI_Type_get_contents_c(
    datatype: number,
    maxIntegers: number,
    maxAddresses: number,
    maxLargeCounts: number,
    maxDatatypes: number,
    integers: Pointer,
    addresses: Pointer,
    largeCounts: Pointer,
    datatypes: Pointer,
  ): number;
}

/** All calls of MPI that are bound, with those of large counts. */
export type AllCalls = Calls & LargeCalls;

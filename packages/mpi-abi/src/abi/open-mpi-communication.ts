import type { LibraryHandle } from "koffi";
import { ACCUMULATIONS, REDUCTIONS, wideAt, type CommunicationConstants, type StatusLayout } from "./communication.js";

// mpi.h of Open MPI 4.1.
const ERROR_CLASSES: readonly (readonly [number, string])[] = [
  [1, "MPI_ERR_BUFFER"],
  [2, "MPI_ERR_COUNT"],
  [3, "MPI_ERR_TYPE"],
  [4, "MPI_ERR_TAG"],
  [5, "MPI_ERR_COMM"],
  [6, "MPI_ERR_RANK"],
  [7, "MPI_ERR_REQUEST"],
  [8, "MPI_ERR_ROOT"],
  [9, "MPI_ERR_GROUP"],
  [10, "MPI_ERR_OP"],
  [11, "MPI_ERR_TOPOLOGY"],
  [12, "MPI_ERR_DIMS"],
  [13, "MPI_ERR_ARG"],
  [14, "MPI_ERR_UNKNOWN"],
  [15, "MPI_ERR_TRUNCATE"],
  [16, "MPI_ERR_OTHER"],
  [17, "MPI_ERR_INTERN"],
  [18, "MPI_ERR_IN_STATUS"],
  [19, "MPI_ERR_PENDING"],
  [20, "MPI_ERR_ACCESS"],
  [21, "MPI_ERR_AMODE"],
  [22, "MPI_ERR_ASSERT"],
  [23, "MPI_ERR_BAD_FILE"],
  [24, "MPI_ERR_BASE"],
  [25, "MPI_ERR_CONVERSION"],
  [26, "MPI_ERR_DISP"],
  [27, "MPI_ERR_DUP_DATAREP"],
  [28, "MPI_ERR_FILE_EXISTS"],
  [29, "MPI_ERR_FILE_IN_USE"],
  [30, "MPI_ERR_FILE"],
  [31, "MPI_ERR_INFO_KEY"],
  [32, "MPI_ERR_INFO_NOKEY"],
  [33, "MPI_ERR_INFO_VALUE"],
  [34, "MPI_ERR_INFO"],
  [35, "MPI_ERR_IO"],
  [36, "MPI_ERR_KEYVAL"],
  [37, "MPI_ERR_LOCKTYPE"],
  [38, "MPI_ERR_NAME"],
  [39, "MPI_ERR_NO_MEM"],
  [40, "MPI_ERR_NOT_SAME"],
  [41, "MPI_ERR_NO_SPACE"],
  [42, "MPI_ERR_NO_SUCH_FILE"],
  [43, "MPI_ERR_PORT"],
  [44, "MPI_ERR_QUOTA"],
  [45, "MPI_ERR_READ_ONLY"],
  [46, "MPI_ERR_RMA_CONFLICT"],
  [47, "MPI_ERR_RMA_SYNC"],
  [48, "MPI_ERR_SERVICE"],
  [49, "MPI_ERR_SIZE"],
  [50, "MPI_ERR_SPAWN"],
  [51, "MPI_ERR_UNSUPPORTED_DATAREP"],
  [52, "MPI_ERR_UNSUPPORTED_OPERATION"],
  [53, "MPI_ERR_WIN"],
  [68, "MPI_ERR_RMA_RANGE"],
  [69, "MPI_ERR_RMA_ATTACH"],
  [70, "MPI_ERR_RMA_FLAVOR"],
  [71, "MPI_ERR_RMA_SHARED"],
];

/** { int source, tag, error, cancelled; size_t bytes } */
const STATUS: StatusLayout = {
  words: 6,
  source: 0,
  tag: 1,
  error: 2,
  bytesAt: (words, start) => wideAt(words[start + 4] as number, words[start + 5] as number),
};

/** Handles are addresses of exported objects. */
export function openMpiCommunication(library: LibraryHandle): CommunicationConstants {
  const addressOf = (symbol: string): number => Number(library.symbol(symbol) as bigint);
  const operations = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
    Object.fromEntries(names.map((name) => [name, addressOf(`ompi_mpi_op_${name}`)])) as Record<Name, number>;
  return {
    anySource: -1,
    anyTag: -1,
    procNull: -2,
    undefinedValue: -32766,
    inPlace: 1,
    statusIgnore: 0,
    status: STATUS,
    commNull: addressOf("ompi_mpi_comm_null"),
    requestNull: addressOf("ompi_request_null"),
    messageNull: addressOf("ompi_message_null"),
    messageNoProc: addressOf("ompi_message_no_proc"),
    infoNull: addressOf("ompi_mpi_info_null"),
    tagUbKey: 0,
    typeShared: 0,
    reductions: operations(REDUCTIONS),
    accumulations: operations([...REDUCTIONS, ...ACCUMULATIONS]),
    locks: { exclusive: 1, shared: 2 },
    errorClasses: new Map(ERROR_CLASSES),
  };
}

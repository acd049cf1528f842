import type { LibraryHandle } from "koffi";
import { MpiLibraryError } from "../errors.js";
import type { CommunicationConstants, Reduction, StatusLayout } from "./communication.js";
import { STANDARD_DATATYPES } from "./standard-datatypes.js";

// MPI 5.0, appendix A.1.1 with the values of chapter 20: a row each, in the order of the tables.
const STANDARD_ERROR_CLASSES: readonly (readonly [number, string])[] = [
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
  [18, "MPI_ERR_PENDING"],
  [19, "MPI_ERR_IN_STATUS"],
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
  [46, "MPI_ERR_RMA_ATTACH"],
  [47, "MPI_ERR_RMA_CONFLICT"],
  [48, "MPI_ERR_RMA_RANGE"],
  [49, "MPI_ERR_RMA_SHARED"],
  [50, "MPI_ERR_RMA_SYNC"],
  [51, "MPI_ERR_SERVICE"],
  [52, "MPI_ERR_SIZE"],
  [53, "MPI_ERR_SPAWN"],
  [54, "MPI_ERR_UNSUPPORTED_DATAREP"],
  [55, "MPI_ERR_UNSUPPORTED_OPERATION"],
  [56, "MPI_ERR_WIN"],
  [57, "MPI_ERR_RMA_FLAVOR"],
  [58, "MPI_ERR_PROC_ABORTED"],
  [59, "MPI_ERR_VALUE_TOO_LARGE"],
  [60, "MPI_ERR_SESSION"],
  [61, "MPI_ERR_ERRHANDLER"],
  [62, "MPI_ERR_ABI"],
];

const REDUCTIONS: Readonly<Record<Reduction, number>> = {
  sum: 33,
  min: 34,
  max: 35,
  prod: 36,
  band: 40,
  bor: 41,
  bxor: 42,
  land: 48,
  lor: 49,
  lxor: 50,
  minloc: 56,
  maxloc: 57,
};

const STATUS_WORDS = 8;

/** { int source, tag, error, reserved[5] }: what is in the reserved ones is each MPI's own, which its calls tell. */
function statusOf(library: LibraryHandle): StatusLayout {
  const status = new Int32Array(new ArrayBuffer(4 * STATUS_WORDS));
  const count = new BigInt64Array(new ArrayBuffer(8));
  const getCount = library.func("int MPI_Get_count_c(void *, uintptr_t, void *)") as GetCount;
  return {
    words: STATUS_WORDS,
    source: 0,
    tag: 1,
    error: 2,
    bytesAt: (words, start) => {
      status.set(words.subarray(start, start + STATUS_WORDS));
      const code = getCount(status, STANDARD_DATATYPES.MPI_BYTE, count);
      if (code !== 0) throw new MpiLibraryError(`MPI_Get_count_c of a status: expected 0, got ${code}`);
      return Number(count[0]);
    },
  };
}

type GetCount = (status: Int32Array, datatype: number, count: BigInt64Array) => number;

/** These are the same in every build of every MPI, but for how a status is read. */
export const standardCommunication = (library: LibraryHandle): CommunicationConstants => ({
  ...STANDARD_COMMUNICATION,
  status: statusOf(library),
});

export const STANDARD_COMMUNICATION: Omit<CommunicationConstants, "status"> = {
  anySource: -1,
  anyTag: -2,
  procNull: -3,
  undefinedValue: -32766,
  inPlace: 1,
  statusIgnore: 0,
  commNull: 0x100,
  requestNull: 0x180,
  messageNull: 0x128,
  messageNoProc: 0x129,
  infoNull: 0x130,
  tagUbKey: 501,
  typeShared: 221,
  reductions: REDUCTIONS,
  accumulations: { ...REDUCTIONS, replace: 60, no_op: 61 },
  locks: { exclusive: 301, shared: 302 },
  fileModes: { create: 2, readOnly: 16, readWrite: 32, writeOnly: 256 },
  errorClasses: new Map(STANDARD_ERROR_CLASSES),
};

/** Children of which so many stay below `nonTemporalBytes` are not worth a second copy of their code. */
const MOST_CHILDREN = 4096;

/** Whether children of so many bytes are worth code of their own out of cache. */
export const isWorthCode = (childBytes: number, nonTemporalBytes: number): boolean =>
  childBytes >= nonTemporalBytes / MOST_CHILDREN;

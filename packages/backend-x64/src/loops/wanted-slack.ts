/**
 * Bytes past its blocks that would save moves of a node, could they be overwritten; `isRead`: and be read. Packing
 * only.
 */
export interface WantedSlack {
  readonly bytes: number;
  readonly isRead: boolean;
}

export const NOTHING_WANTED: WantedSlack = { bytes: 0, isRead: false };

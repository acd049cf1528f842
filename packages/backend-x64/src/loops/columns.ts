/** Neighbouring columns of single elements: the packed stream has them one after another, memory side by side. */
export interface Columns {
  readonly elementBytes: number;
  readonly rows: number;
  readonly rowStrideBytes: number;
}

export const columnBytesOf = ({ elementBytes, rows }: Columns): number => rows * elementBytes;

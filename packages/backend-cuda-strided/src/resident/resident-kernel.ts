import { buildKernel, type Builder, type Kernel, type Value, type Variable } from "@stowage/ptx";
import { moveTile } from "../kernel/tile.js";
import { FIELD } from "../record-fields.js";
import { shapeName, type Shape } from "../shape.js";
import { LEAVE, MAILBOX } from "./mailbox.js";

/** Threads of the one block; few, so that they soon meet at a barrier. */
export const RESIDENT_THREADS = 512;
/** In shared memory: the bell's four words, and whether to leave. */
const [HEARD, LEAVING, SHARED_BYTES] = [0, 16, 32];

/**
 * One block that waits for a bell in mapped host memory, moves what it names, says so, and waits again. It leaves when
 * it is told to, or has heard nothing for `idleNs`. The record's box and range are constants of the kernel; its
 * addresses come with the bell. Jenkins et al. (Cluster 2012, section 3.3) name the idea; Stuart et al. built it for
 * messages.
 */
export function residentKernel(shape: Shape, record: DataView, tiles: number): Kernel {
  return buildKernel(
    `stowage_resident_${shapeName(shape)}`,
    {
      parameters: { mailbox: "u64", done: "u32", launch: "u32", idleNs: "u32" },
      maxThreads: RESIDENT_THREADS,
      sharedBytes: SHARED_BYTES,
    },
    (builder, { mailbox, done, launch, idleNs }) => {
      const last = builder.variable("u32", done);
      const waiting = builder.variable("u32", 1);
      const isFirst = builder.special("tid.x").eq(0);
      builder.while(
        () => waiting.eq(1),
        () => {
          builder.if(isFirst, () => listen(builder, mailbox, last, idleNs));
          builder.barrier();
          const heard = [0, 4, 8, 12].map((at) => builder.load("shared", HEARD + at, { bits: 32 }));
          const leaving = builder.load("shared", LEAVING, { bits: 32 });
          builder.if(
            leaving.eq(1),
            () => waiting.set(0),
            () => moveAll(builder, shape, record, tiles, heard),
          );
          // What was written is seen by the whole system before the number is; and nobody reads the bell's copy any
          // more.
          builder.fence("system");
          builder.barrier();
          const stays = waiting.eq(1);
          builder.if(isFirst.and(stays), () => put(builder, mailbox, MAILBOX.done, heard[0] as Value));
          last.set(heard[0] as Value);
        },
      );
      builder.if(isFirst, () => put(builder, mailbox, MAILBOX.left, launch));
    },
  );
}

function put(builder: Builder, mailbox: Value, offsetBytes: number, value: Value): void {
  builder.store("global", mailbox, [value], { bits: 32, offsetBytes }, { operator: "wt" });
}

/** Reads the bell until it rings, or rings for leaving, or nothing was heard for too long. */
function listen(builder: Builder, mailbox: Value, last: Variable, idleNs: Value): void {
  const begun = builder.special("globaltimer_lo");
  const quiet = builder.variable("u32", 1);
  builder.while(
    () => quiet.eq(1),
    () => {
      const bell = builder.loadVector("global", mailbox, { bits: 32, lanes: 4, offsetBytes: MAILBOX.bell }, CHANGING);
      const [number] = bell as [Value, ...Value[]];
      const rung = number.ne(last);
      const tired = builder.special("globaltimer_lo").sub(begun).gt(idleNs);
      bell.forEach((word, i) => builder.store("shared", builder.constant("u32", HEARD + 4 * i), [word], { bits: 32 }));
      const told = number.eq(LEAVE);
      const one = builder.constant("u32", 1);
      const leaving = told.select(one, rung.select(0, tired.select(one, 0)));
      builder.store("shared", builder.constant("u32", LEAVING), [leaving], { bits: 32 });
      quiet.set(rung.select(0, tired.select(builder.constant("u32", 0), 1)));
    },
  );
}

/** The host writes it: any weaker load, ld.cv too, the compiler takes out of the loop. */
const CHANGING = { volatile: true } as const;

function moveAll(builder: Builder, shape: Shape, record: DataView, tiles: number, heard: readonly Value[]): void {
  const [, packedLow, scatteredLow, highs] = heard as [Value, Value, Value, Value];
  const packed = packedLow.to("u64").add(highs.and(0xffff).to("u64").shl(32));
  const scattered = scatteredLow.to("u64").add(highs.shr(16).to("u64").shl(32));
  const read = (field: number, bits: 32 | 64): Value => {
    if (field === FIELD.packed) return packed;
    if (field === FIELD.scattered) return scattered;
    if (bits === 32) return builder.constant("u32", record.getUint32(field * 8, true));
    return builder.constant("u64", record.getBigUint64(field * 8, true));
  };
  const tile = builder.variable("u32", 0);
  builder.while(
    () => tile.lt(tiles),
    () => {
      moveTile(builder, shape, read, tile);
      tile.set(tile.add(1));
    },
  );
}

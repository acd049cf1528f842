import { RECORD_NUMBERS } from "@stowage/host-plans";
import type { ModuleWriter } from "./module-writer.js";

export const LAUNCH = "launch";
export const MAILBOX = "mailbox";
export const BYTES = "bytes";

/**
 * The function that JavaScript calls: it reads from a mailbox, whose address is written into the image when it is
 * loaded, where records are and how many, and calls the code of each with its five arguments. All numbers are doubles.
 */
export function writeLaunch(module: ModuleWriter): void {
  module.declare(`@${MAILBOX} = hidden externally_initialized global ptr null, align 8`);
  module.define(`define void @${LAUNCH}()`, (f) => {
    const mailbox = f.value(`load ptr, ptr @${MAILBOX}, align 8`);
    const number = (pointer: string, i: number): string => {
      const loaded = f.value(`load double, ptr ${f.at(pointer, 8 * i)}, align 8`);
      return f.value(`fptosi double ${loaded} to i64`);
    };
    const pointer = (integer: string): string => f.value(`inttoptr i64 ${integer} to ptr`);
    const records = pointer(number(mailbox, 0));
    f.loop(0, number(mailbox, 1), 1, (i) => {
      const record = f.at(records, f.multiply(i, 8 * RECORD_NUMBERS));
      const [code, source, target] = [0, 1, 2].map((word) => pointer(number(record, word)));
      const [count, first, length] = [3, 4, 5].map((word) => number(record, word));
      f.do(`call void ${code}(ptr ${source}, ptr ${target}, i64 ${count}, i64 ${first}, i64 ${length})`);
    });
    f.do("ret void");
  });
}

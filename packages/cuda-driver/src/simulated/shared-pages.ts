/** Pages that several processes of a machine see: what IPC handles of simulated device memory stand for. */
export interface SharedPages {
  /**
   * Backs pages of this process by some that others open by the name that this gives, at most 40 bytes; what they hold
   * stays.
   */
  share(pages: Uint8Array): string;
  /** Backs them by what another process shares; false where there is nothing by this name. */
  open(name: string, pages: Uint8Array): boolean;
  /** Backs them by pages of this process alone again. */
  close(pages: Uint8Array): void;
}

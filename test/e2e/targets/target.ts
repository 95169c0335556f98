/** A target that can be broken and repaired while a check watches it. */
export interface Target {
  /** the request body that creates a check of the target, without an interval */
  definition: { name: string; type: string } & Record<string, unknown>;
  /** the status and the error message of results while the target is broken */
  broken: { status: 'down' | 'failed'; sentence: RegExp };
  break: () => Promise<void>;
  mend: () => Promise<void>;
  close: () => Promise<void>;
}

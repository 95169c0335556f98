/** A target that can be broken and mended while a check watches it. */
export interface Target {
  /** the request body that creates a check for it; without an interval */
  definition: { name: string; type: string } & Record<string, unknown>;
  /** the error message of a result while it is broken */
  broken: { status: 'down' | 'failed'; sentence: RegExp };
  break: () => Promise<void>;
  mend: () => Promise<void>;
  close: () => Promise<void>;
}

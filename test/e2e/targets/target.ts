/** Something to watch that can be broken and mended while a check watches it. */
export interface Target {
  /** what a client of the API creates to watch it; without an interval */
  definition: { name: string; type: string } & Record<string, unknown>;
  /** what a result says while it is broken */
  broken: { status: 'down' | 'failed'; sentence: RegExp };
  break: () => Promise<void>;
  mend: () => Promise<void>;
  close: () => Promise<void>;
}

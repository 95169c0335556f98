import type { EngineLogLine } from './protocol.ts';

/** What is told of an error to another thread. */
export const causeOf = (error: unknown): NonNullable<EngineLogLine['cause']> =>
  error instanceof Error ? { name: error.name, message: error.message } : { name: '', message: String(error) };

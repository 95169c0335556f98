import type { EngineLogLine } from './protocol.ts';

type Cause = NonNullable<EngineLogLine['cause']>;

/** Converts an error to a form that can be sent to another thread. Does not change an error that came from a thread. */
export const causeOf = (error: unknown): Cause =>
  error instanceof Error || isCause(error)
    ? { name: error.name, message: error.message }
    : { name: '', message: String(error) };

const isCause = (error: unknown): error is Cause =>
  typeof error === 'object' && error !== null && 'name' in error && 'message' in error;

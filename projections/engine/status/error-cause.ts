import type { EngineLogLine } from './protocol.ts';

type Cause = NonNullable<EngineLogLine['cause']>;

/** An error in the form in which it is passed to another thread; one that came from there stays the same. */
export const causeOf = (error: unknown): Cause =>
  error instanceof Error || isCause(error)
    ? { name: error.name, message: error.message }
    : { name: '', message: String(error) };

const isCause = (error: unknown): error is Cause =>
  typeof error === 'object' && error !== null && 'name' in error && 'message' in error;

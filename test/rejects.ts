import * as assert from 'uvu/assert';

/** Asserts that a promise rejects with an error of this class and, if `message` is given, with that message. */
export const rejects = async (
  promise: Promise<unknown>,
  // Any parameters are allowed, because the constructors of errors differ in their parameters.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  kind: abstract new (...input: any[]) => Error,
  message?: string | RegExp,
): Promise<void> => {
  let error: unknown;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  if (error === undefined) assert.unreachable(`expected a rejection with ${kind.name}`);
  assert.instance(error, kind);
  if (message === undefined) return;
  if (typeof message === 'string') assert.is((error as Error).message, message);
  else assert.match((error as Error).message, message);
};

import { explainBrokenConnection } from '../../network/broken-connection.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { ProbeFailure } from './probe-failure.ts';

/**
 * Converts an error of an established connection into a failure of the target or of the runner.
 *
 * @param when when the error occurred, as part of a sentence: `before it answered`
 */
export const brokenConnection = (
  error: NodeJS.ErrnoException,
  peer: string,
  when: string,
): ProbeFailure | LocalFailure => {
  const why = explainBrokenConnection(error, peer, when);
  return why instanceof LocalFailure ? why : new ProbeFailure('down', why.reason, why.sentence, { cause: error });
};

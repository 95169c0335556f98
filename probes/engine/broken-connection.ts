import { explainBrokenConnection } from '../../network/broken-connection.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { ProbeFailure } from './probe-failure.ts';

/**
 * Explains an error of an established connection: it is about the target, or about the runner.
 *
 * @param when `before it answered`
 */
export const brokenConnection = (
  error: NodeJS.ErrnoException,
  peer: string,
  when: string,
): ProbeFailure | LocalFailure => {
  const why = explainBrokenConnection(error, peer, when);
  return why instanceof LocalFailure ? why : new ProbeFailure('down', why.reason, why.sentence, { cause: error });
};

import { whyBroken } from '../../network/broken-connection.ts';
import { OwnTrouble } from '../../network/own-trouble.ts';
import { ProbeFailure } from './failure.ts';

/**
 * What an error of an established connection says: about the target, or about the runner.
 *
 * @param when `before it answered`
 */
export const brokenConnection = (
  error: NodeJS.ErrnoException,
  peer: string,
  when: string,
): ProbeFailure | OwnTrouble => {
  const why = whyBroken(error, peer, when);
  return why instanceof OwnTrouble ? why : new ProbeFailure('down', why.reason, why.sentence, { cause: error });
};

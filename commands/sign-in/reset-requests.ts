import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS, millisecondsOf } from '../../domain/time.ts';
import { countAgainstLimit } from './rate-limits.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { Account, Origin } from './account.ts';
import { requestPasswordReset } from './user-passwords.ts';

/** Maximum number of requests per hour and client address. */
const RESETS_OF_ADDRESS = 10;

/** Minimum duration of a request, in milliseconds, so that the duration does not reveal whether the account exists. */
const DURATION_MS = 250;

/**
 * Requests a password reset for an e-mail address. The response does not reveal whether the account exists.
 *
 * @param find looks up the account with the e-mail address
 * @throws TooMany if the client address has sent too many requests
 */
export const requestResetByEmail =
  (dependencies: Pick<CommandDependencies, 'handle' | 'entries' | 'keys' | 'mails'>) =>
  async (find: () => Promise<Account | null>, origin: Origin, context: CommandContext): Promise<void> => {
    const { entries, keys } = dependencies;
    const id = `password resets from ${await keys.fingerprint('sign-in address', origin.network)}`;
    const sentence = 'Too many password resets were requested from this address.';
    await countAgainstLimit(
      entries,
      { id, most: RESETS_OF_ADDRESS, within: HOUR_MS },
      millisecondsOf(context.now),
      sentence,
    );
    const request = find().then((account) => requestPasswordReset(dependencies)(account, origin, context));
    // Errors are delayed as well.
    const [outcome] = await Promise.allSettled([request, sleep(DURATION_MS)]);
    if (outcome.status === 'rejected') throw outcome.reason;
  };

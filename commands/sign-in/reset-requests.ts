import { setTimeout as sleep } from 'node:timers/promises';
import { millisecondsOf } from '../../domain/time.ts';
import { take } from './allowances.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { Account, Origin } from './signed-in.ts';
import { requestPasswordReset } from './user-passwords.ts';

/** So often an hour from one address. */
const RESETS_OF_ADDRESS = 10;

/** Every request takes as long, so that none tells by its time whether there was anything to do. */
const TAKES_MS = 250;

/**
 * Asks for the reset of a password for somebody who may not exist, which the answer does not tell.
 *
 * @param find who has the e-mail
 * @throws TooMany from this address, whatever was asked for
 */
export const askForReset =
  (dependencies: Pick<CommandDependencies, 'handle' | 'entries' | 'keys' | 'mails'>) =>
  async (find: () => Promise<Account | null>, origin: Origin, context: CommandContext): Promise<void> => {
    const { entries, keys } = dependencies;
    const id = `password resets from ${await keys.fingerprint('sign-in address', origin.network)}`;
    const sentence = 'Too many password resets were asked for from this address.';
    await take(entries, { id, most: RESETS_OF_ADDRESS, within: 3_600_000 }, millisecondsOf(context.now), sentence);
    const asked = find().then((account) => requestPasswordReset(dependencies)(account, origin, context));
    // Whatever fails, fails as late as nothing does.
    const [outcome] = await Promise.allSettled([asked, sleep(TAKES_MS)]);
    if (outcome.status === 'rejected') throw outcome.reason;
  };

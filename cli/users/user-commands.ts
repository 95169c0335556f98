import { createHandle } from '../../commands/engine/handle.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { createUserEmails } from '../../commands/reservations/user-emails.ts';
import { emailKeyOf, isEmail } from '../../domain/organization/user-email.ts';
import { SELF_HOSTED } from '../../domain/organization/plans.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { ProjectionReader } from '../../projections/readers.ts';
import { findByEmail, decryptUser, type DecryptedUser } from '../../queries/organizations/users.ts';
import type { Config } from '../../service/config/config.ts';
import { currentRead } from '../../service/current-read.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { createPasswords } from '../../stores/passwords/argon2.ts';
import { openCoordination, openKeys, openLog, openReadModels, siteOf } from '../../service/stores.ts';

type Reader = ProjectionReader<(typeof organizations)['collections']>;

/** Dependencies of the user commands. */
export interface UserCommands extends Pick<
  CommandDependencies,
  'entries' | 'handle' | 'keys' | 'passwords' | 'plans' | 'userEmails'
> {
  read: Reader;
}

/**
 * Runs a task on users. Works with or without a running service.
 *
 * @throws OperatorError there is no data directory, or its keys are lost
 */
export const withUsers = async <T>(config: Config, task: (here: UserCommands) => Promise<T>): Promise<T> => {
  const site = siteOf(config);
  const keys = await openKeys(site, config);
  const main = await openLog(site, 'main', 'appender');
  const readStore = await openReadModels(site, 'reader');
  const coordination = await openCoordination(site);
  try {
    const read = await currentRead(organizations, ['organization', 'session'], { main, readStore, coordination });
    const handle = createHandle({ store: main, clock: Date.now });
    return await task({
      read,
      handle,
      keys,
      entries: coordination.entries,
      plans: config.plans ?? SELF_HOSTED,
      passwords: createPasswords(),
      userEmails: createUserEmails(handle),
    });
  } finally {
    for (const store of [main, readStore, coordination, keys]) await store.close();
  }
};

/**
 * Finds the user whom an operator names by id or e-mail. A removed user can be named only by id.
 *
 * @throws OperatorError the user does not exist
 */
export const findUserByName = async ({ read, keys }: UserCommands, name: string): Promise<DecryptedUser> => {
  const found = isEmail(name)
    ? await findByEmail(read.users, await emailKeyOf(keys, name))
    : await read.users.get(name);
  if (!found) throw new OperatorError(`The user "${name}" does not exist. Name a user by id or e-mail.`);
  return decryptUser({ keys }, found);
};

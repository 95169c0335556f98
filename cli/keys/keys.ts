import { userKey } from '../../domain/organization/user.ts';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { openKeys, siteOf } from '../../service/stores.ts';

const USER_KEY = new RegExp(`^${userKey('(.+)')}$`);

/**
 * `uptrail keys forget`: makes what the key sealed unreadable for good, in events and read models alike.
 *
 * @throws OperatorError there is no such key (should one be made later, it works), or it is that of a user
 */
export const forgetKey = async (config: Config, name: string, output: Output): Promise<void> => {
  const [, userId] = USER_KEY.exec(name) ?? [];
  if (userId !== undefined) {
    throw new OperatorError(
      `${name} is the key of a user, who could neither sign in without it nor get a new password. "uptrail user forget ${userId}" deletes it and ends the user's access.`,
    );
  }
  const keys = await openKeys(siteOf(config), config);
  try {
    const outcome = await keys.forget(name);
    if (outcome === 'unknown') {
      throw new OperatorError(
        `There is no key ${JSON.stringify(name)}: nothing was ever sealed under it, so there is nothing to forget.`,
      );
    }
    await output.line(`The key ${name} ${outcome === 'already' ? 'was forgotten before' : 'is forgotten'}.`);
  } finally {
    await keys.close();
  }
};

import { userKey } from '../../domain/organization/user.ts';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { openKeys, siteOf } from '../../service/stores.ts';

const USER_KEY = new RegExp(`^${userKey('(.+)')}$`);

/**
 * `uptrail keys forget`: deletes a key, so that everything sealed with it is permanently unreadable, in events and read
 * models. A key that is created later under the same name is not affected.
 *
 * @throws OperatorError the key does not exist, or it belongs to a user
 */
export const forgetKey = async (config: Config, name: string, output: Output): Promise<void> => {
  const [, userId] = USER_KEY.exec(name) ?? [];
  if (userId !== undefined) {
    throw new OperatorError(
      `${name} is a user's key. Without it, the user could neither sign in nor set a new password. Run "uptrail user forget ${userId}", which deletes the key and ends the user's access.`,
    );
  }
  const keys = await openKeys(siteOf(config), config);
  try {
    const outcome = await keys.forget(name);
    if (outcome === 'unknown') {
      throw new OperatorError(
        `The key ${JSON.stringify(name)} does not exist: nothing was ever sealed with it, so there is nothing to forget.`,
      );
    }
    await output.line(`The key ${name} ${outcome === 'already' ? 'was forgotten earlier' : 'is forgotten'}.`);
  } finally {
    await keys.close();
  }
};

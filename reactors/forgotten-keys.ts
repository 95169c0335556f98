import type { KeyToForgetDocument } from '../projections/keys-to-forget/projection.ts';
import type { Keys } from '../stores/keys/port.ts';
import { changeWork } from './engine/changes.ts';
import { done, type Ending } from './engine/ending.ts';
import type { ChangeList, TodoProjection } from './engine/lists.ts';
import type { Reactor } from './engine/loop.ts';

export const FORGOTTEN_KEYS = 'forgotten-keys';

const AT_ONCE = 16;

export interface ForgottenKeysDependencies {
  keys: Pick<Keys, 'forget'>;
  list: ChangeList<KeyToForgetDocument>;
  todo: TodoProjection;
}

/**
 * Forgets the keys of what is removed: subscribers, alert channels, secrets, reports, pages, users. Whoever removes a
 * subscriber, a channel or a secret, or forgets a user, does so at once; this one does it where the process died in between, or the keys did not answer.
 */
export const forgottenKeysReactor = ({ list, todo, keys }: ForgottenKeysDependencies): Reactor => ({
  name: FORGOTTEN_KEYS,
  countsEarlier: true,
  todo,
  work: changeWork(FORGOTTEN_KEYS, todo, list, forget({ keys }), { atOnce: AT_ONCE }),
});

/** A key that is forgotten stays so. */
export const forget =
  ({ keys }: Pick<ForgottenKeysDependencies, 'keys'>) =>
  async ({ id }: KeyToForgetDocument): Promise<Ending> => {
    await keys.forget(id);
    return done();
  };

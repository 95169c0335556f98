import { keysToForget } from '../projections/keys-to-forget/projection.ts';
import { defineReactor } from './engine/define.ts';
import { done } from './engine/ending.ts';
import { changed } from './engine/on-lists.ts';

export const FORGOTTEN_KEYS = 'forgotten-keys';

const AT_ONCE = 16;

/**
 * Forgets the keys of what is removed: subscribers, alert channels, secrets, reports, pages, users. Whoever removes a
 * subscriber, a channel or a secret, or forgets a user, does so at once; this one does it where the process died in
 * between, or the keys did not answer. A key that is forgotten stays so.
 */
export const forgottenKeys = defineReactor({
  name: FORGOTTEN_KEYS,
  does: 'forgets the keys of what was removed: subscribers, alert channels, secrets, reports, pages, users',
  countsEarlier: true,
  list: changed(keysToForget, 'keys_to_forget', { atOnce: AT_ONCE }),
  act: async ({ id }, { keys }) => {
    await keys.forget(id);
    return done();
  },
});

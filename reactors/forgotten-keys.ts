import { keysToForget } from '../projections/keys-to-forget/projection.ts';
import { defineReactor } from './engine/define.ts';
import { done } from './engine/item-result.ts';
import { changed } from './engine/list-declarations.ts';

export const FORGOTTEN_KEYS = 'forgotten-keys';

const AT_ONCE = 16;

/**
 * Deletes the keys of removed subscribers, alert channels, secrets, reports, pages and users. The commands that remove
 * a subscriber, channel, secret or user also try to delete its key. This reactor deletes the key if the command could
 * not, because its process died or the key store did not respond. A deleted key is never restored.
 */
export const forgottenKeys = defineReactor({
  name: FORGOTTEN_KEYS,
  does: 'deletes the keys of deleted subscribers, alert channels, secrets, reports and pages, and of forgotten users',
  countsEarlier: true,
  list: changed(keysToForget, 'keys_to_forget', { atOnce: AT_ONCE }),
  act: async ({ id }, { keys }) => {
    await keys.forget(id);
    return done();
  },
});

import { isOpenToEveryone, type Visibility } from '../page/access.ts';

/**
 * Whether a page sends messages to a subscriber. A page that is not public, such as one that was made private later, sends
 * messages only to subscribers that were added with a key, since access restrictions do not apply to messages.
 */
export const passesFilter = (page: Visibility, { added_with_key }: { added_with_key: boolean }): boolean =>
  added_with_key || isOpenToEveryone(page);

import { isOpenToAll, type Visibility } from '../page/visitors.ts';

/**
 * Whether a page speaks to a subscriber. One that not everybody may see, such as a page that was made private later,
 * speaks only to those whom somebody with a key has added: nobody knows from where a message is read.
 */
export const hears = (page: Visibility, { added_with_key }: { added_with_key: boolean }): boolean =>
  added_with_key || isOpenToAll(page);

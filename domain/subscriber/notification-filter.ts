import { isOpenToEveryone, type Visibility } from '../page/access.ts';

/**
 * Whether a page sends messages to a subscriber. If the page is not public (for example, because it was made private
 * later), only subscribers that were added with an API key get messages. Other subscribers might not be allowed to see
 * the page.
 */
export const passesFilter = (page: Visibility, { added_with_key }: { added_with_key: boolean }): boolean =>
  added_with_key || isOpenToEveryone(page);

import { openedIn, withOpened, type Opened } from './recent.ts';
import { storedForUser, type Stored } from '../session/stored.ts';

/** What the signed-in user has opened in this browser, the latest first; the palette offers it. */
export const recentlyOpened = (): Stored<readonly Opened[]> => storedForUser('opened', openedIn);

/** Remembers that something was opened. */
export const rememberOpened = (opened: Opened): void => {
  recentlyOpened().change((all) => withOpened(all, opened));
};

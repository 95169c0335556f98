import { openedIn, withOpened, type Opened } from './opened-screens.ts';
import { storedForUser, type Stored } from '../session/stored.ts';

/** The screens that the signed-in user has opened in this browser, latest first; the palette offers them. */
export const recentlyOpened = (): Stored<readonly Opened[]> => storedForUser('opened', openedIn);

/** Records that a screen was opened. */
export const rememberOpened = (opened: Opened): void => {
  recentlyOpened().change((all) => withOpened(all, opened));
};

import { parseOpened, addOpened, type OpenedScreen } from './opened-screens.ts';
import { storedForUser, type Stored } from '../session/stored.ts';

/** Returns the screens that the signed-in user has opened in this browser, latest first. The palette offers them. */
export const recentlyOpened = (): Stored<readonly OpenedScreen[]> => storedForUser('opened', parseOpened);

/** Records that a screen was opened. */
export const rememberOpened = (opened: OpenedScreen): void => {
  recentlyOpened().change((all) => addOpened(all, opened));
};

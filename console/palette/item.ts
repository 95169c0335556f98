import type { State } from '../../views/status/state.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { PaletteWords } from '../../messages/console-words/words/palette.ts';

/** A line of the palette: something that it opens or does. */
export interface Item {
  /** unique among the lines */
  id: string;
  group: keyof PaletteWords['groups'];
  icon: IconName;
  /** of a check: shown in place of the icon */
  state?: State;
  name: string;
  /** whether the name is user content, which may be right-to-left */
  isName?: boolean;
  /** beside the name */
  note?: string;
  /** further words by which it is found */
  otherWords?: string;
  /** keys that do the same */
  keys?: readonly string[];
  /** whether it is shown only when something is typed */
  onlyTyped?: boolean;
  /** what it opens, below the console's root; absent: it does something */
  to?: string;
  /** does it; the palette shows a Failure that it throws */
  act?: () => Promise<void> | void;
  /** whether the palette stays open meanwhile */
  stays?: boolean;
}

import type { State } from '../../views/status/state.tsx';
import type { IconName } from '../parts/icon.tsx';
import type { PaletteWords } from '../../messages/console-words/words/palette.ts';

/** An item of the palette, which opens a screen or performs an action. */
export interface PaletteItem {
  /** unique among the items */
  id: string;
  group: keyof PaletteWords['groups'];
  icon: IconName;
  /** for a check: shown instead of the icon */
  state?: State;
  name: string;
  /** whether the name is user content, which may be right-to-left */
  isName?: boolean;
  /** shown next to the name */
  note?: string;
  /** further search terms */
  otherWords?: string;
  /** shortcut for the same action */
  keys?: readonly string[];
  /** whether the item is hidden until the user types something */
  onlyWhenTyped?: boolean;
  /** path below the console's root; absent: the item performs an action */
  to?: string;
  /** performs the action; the palette shows a Failure that it throws */
  act?: () => Promise<void> | void;
  /** whether the palette stays open after the item is chosen */
  keepsOpen?: boolean;
}

import { singleKeyOf } from '../keys/key.ts';
import { storedPreference } from './stored-preference.ts';
import { overlay } from './overlay.ts';

/** Whether shortcuts are active (WCAG 2.1.4): `off` if the user turned them off. */
export const shortcuts = storedPreference('shortcuts', ['off']);

const WRITTEN_IN =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]';

/**
 * Returns the key of a shortcut, or null if it was typed into a field, belongs to a dialog or an input method, repeats
 * a key that acts once, or shortcuts are off. Screens register their shortcuts with `useBindings`
 * (console/keys/bindings.ts).
 */
export const shortcutOf = (event: KeyboardEvent): string | null => {
  // An overlay that is about to open gets the next keys.
  if (shortcuts.value === 'off' || event.defaultPrevented || overlay.value !== null) return null;
  if (event.target instanceof Element && event.target.closest(WRITTEN_IN)) return null;
  return document.querySelector('dialog[open], [popover]:popover-open') ? null : singleKeyOf(event);
};

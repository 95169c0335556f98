import { singleKeyOf } from '../keys/key.ts';
import { storedPreference } from './stored-preference.ts';
import { overlay } from './overlay.ts';

/** Whether shortcuts are active (WCAG 2.1.4): `off` if the user turned them off. */
export const shortcuts = storedPreference('shortcuts', ['off']);

const WRITTEN_IN =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]';

/**
 * Returns the key of a shortcut. Returns null if shortcuts are off, or if the key is an automatic repetition of a key
 * that must act only once. Also returns null if the key was typed into a field, or belongs to a dialog or an input
 * method. Screens register their shortcuts with `useBindings` (console/keys/bindings.ts).
 */
export const shortcutOf = (event: KeyboardEvent): string | null => {
  // While an overlay is open or opening, its own handlers get the keys.
  if (shortcuts.value === 'off' || event.defaultPrevented || overlay.value !== null) return null;
  if (event.target instanceof Element && event.target.closest(WRITTEN_IN)) return null;
  return document.querySelector('dialog[open], [popover]:popover-open') ? null : singleKeyOf(event);
};

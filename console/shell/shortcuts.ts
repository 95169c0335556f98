import { singleKeyOf } from '../keys/key.ts';
import { choice } from './choice.ts';
import { overlay } from './overlay.ts';

/** Whether keys do something (WCAG 2.1.4): `off` where somebody does not want that. */
export const shortcuts = choice('shortcuts', ['off']);

const WRITTEN_IN =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]';

/**
 * The key of a shortcut; null: it is written into a field, belongs to a dialog or an input method, repeats one that acts
 * once, or shortcuts are off. Screens declare their keys by `useBindings` (console/keys/bindings.ts).
 */
export const shortcutOf = (event: KeyboardEvent): string | null => {
  // What is about to be shown over the screen gets the next keys.
  if (shortcuts.value === 'off' || event.defaultPrevented || overlay.value !== null) return null;
  if (event.target instanceof Element && event.target.closest(WRITTEN_IN)) return null;
  return document.querySelector('dialog[open], [popover]:popover-open') ? null : singleKeyOf(event);
};

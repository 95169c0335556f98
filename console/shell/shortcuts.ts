import { choice } from './choice.ts';

/** Whether single keys do something (WCAG 2.1.4): `off` where somebody does not want that. */
export const shortcuts = choice('shortcuts', ['off']);

const WRITTEN_IN = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';

/** The key of a shortcut; null: it is written into a field, belongs to a dialog, or shortcuts are off. */
export const shortcutOf = (event: KeyboardEvent): string | null => {
  if (shortcuts.value === 'off' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
    return null;
  if (event.target instanceof Element && event.target.matches(WRITTEN_IN)) return null;
  return document.querySelector('dialog[open], [popover]:popover-open') ? null : event.key;
};

import { navigate } from '../router/router.ts';
import { overlay } from '../shell/overlay.ts';
import { shortcutOf, shortcuts } from '../shell/shortcuts.ts';
import { screenBindings } from './bindings.ts';
import { everywhere } from './everywhere.ts';
import { isPaletteKey } from './key.ts';
import { GO_TO, navigationPlaces } from './places.ts';
import { IS_MAC } from './platform.ts';
import { createSequence } from './sequence.ts';

/** Begins a sequence. */
const FIRST = 'g';

/** Buttons, links and boxes have a use for Enter themselves. */
const hasOwnUse = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof Element && target.matches('button, a, input, summary');

const isModifier = (key: string): boolean => ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock'].includes(key);

/** Opens the palette, or closes it; fields have no use for its key. Another dialog has to be closed first. */
const togglePalette = (event: KeyboardEvent): void => {
  const isOpen = overlay.peek() === 'palette' || overlay.peek() === 'new incident';
  if (!isOpen && document.querySelector('dialog[open]')) return;
  event.preventDefault();
  overlay.value = isOpen ? null : 'palette';
};

/** Does what keys do, from now on. @returns ends that */
export const startKeys = (): (() => void) => {
  const sequence = createSequence(() => performance.now());

  /** Before any screen hears the key, which may mean something else there. */
  const hearSecond = (event: KeyboardEvent): void => {
    if (isModifier(event.key) || !sequence.takes()) return;
    const key = shortcutOf(event);
    if (key === null) return;
    event.preventDefault();
    const path = GO_TO[key];
    if (path !== undefined && navigationPlaces().some((place) => place.path === path)) navigate(path);
  };

  const hear = (event: KeyboardEvent): void => {
    if (shortcuts.peek() !== 'off' && isPaletteKey(event, IS_MAC)) {
      togglePalette(event);
      return;
    }
    // It may still be loading.
    if (event.key === 'Escape' && !document.querySelector('dialog[open]')) overlay.value = null;
    const key = shortcutOf(event);
    if (key === null || hasOwnUse(event)) return;
    const binding = [...screenBindings(), ...everywhere()].find((one) => one.key === key);
    if (!binding && key !== FIRST) return;
    event.preventDefault();
    if (binding) binding.act();
    else sequence.begin();
  };

  addEventListener('keydown', hearSecond, { capture: true });
  addEventListener('keydown', hear);
  return () => {
    removeEventListener('keydown', hearSecond, { capture: true });
    removeEventListener('keydown', hear);
  };
};

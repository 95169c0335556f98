import { navigate } from '../router/router.ts';
import { overlay } from '../shell/overlay.ts';
import { shortcutOf, shortcuts } from '../shell/shortcuts.ts';
import { screenBindings } from './bindings.ts';
import { globalBindings } from './global-bindings.ts';
import { isPaletteKey } from './key.ts';
import { GO_TO, navigationScreens } from './navigation-screens.ts';
import { IS_MAC } from './platform.ts';
import { createSequence } from './sequence.ts';

/** The first key of a sequence. */
const FIRST = 'g';

/**
 * Returns whether the focused element handles the key itself. For example, buttons, links and checkboxes handle Enter.
 */
const hasOwnUse = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof Element && target.matches('button, a, input, summary');

const isModifier = (key: string): boolean => ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock'].includes(key);

/** Opens or closes the palette. Does nothing while another dialog is open. */
const togglePalette = (event: KeyboardEvent): void => {
  const isOpen = overlay.peek() === 'palette' || overlay.peek() === 'new incident';
  if (!isOpen && document.querySelector('dialog[open]')) return;
  event.preventDefault();
  overlay.value = isOpen ? null : 'palette';
};

/** Starts handling keys. @returns a function that stops it */
export const startKeys = (): (() => void) => {
  const sequence = createSequence(() => performance.now());

  /** Handles the second key of a sequence before the screen does, because the key may be a shortcut of the screen. */
  const hearSecond = (event: KeyboardEvent): void => {
    if (isModifier(event.key) || !sequence.isSecondKey()) return;
    const key = shortcutOf(event);
    if (key === null) return;
    event.preventDefault();
    const path = GO_TO[key];
    if (path !== undefined && navigationScreens().some((place) => place.path === path)) navigate(path);
  };

  const hear = (event: KeyboardEvent): void => {
    if (shortcuts.peek() !== 'off' && isPaletteKey(event, IS_MAC)) {
      togglePalette(event);
      return;
    }
    // The overlay may still be loading, so that no dialog can handle Escape yet.
    if (event.key === 'Escape' && !document.querySelector('dialog[open]')) overlay.value = null;
    const key = shortcutOf(event);
    if (key === null || hasOwnUse(event)) return;
    const binding = [...screenBindings(), ...globalBindings()].find((one) => one.key === key);
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

/** The properties of a KeyboardEvent that determine the action. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'repeat'
>;

const LETTER = /^\p{L}$/u;
const LATIN = /^\p{Script=Latin}$/u;

/** Keys that repeat while pressed. They only move the cursor. */
const REPEATING: readonly string[] = ['j', 'k'];

/**
 * Returns the name of the key in shortcuts: `j`, `X` (with Shift), `Enter`, `/`. On layouts without Latin letters, the
 * physical position of the key counts. Caps Lock is ignored.
 */
export const keyOf = ({ key, code, shiftKey }: KeyPress): string => {
  const isForeign = LETTER.test(key) && !LATIN.test(key);
  const letter = isForeign ? (/^Key([A-Z])$/.exec(code)?.[1] ?? key) : key;
  if (!LETTER.test(letter)) return letter;
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
};

/**
 * Returns the key of a shortcut without modifiers such as Ctrl or Alt. Returns null if the key press is not a shortcut,
 * or if it is an automatic repetition of a key that must act only once.
 */
export const singleKeyOf = (stroke: KeyPress): string | null => {
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey) return null;
  // Input methods handle these keys themselves.
  if (stroke.isComposing || stroke.key === 'Process' || stroke.key === 'Dead') return null;
  const key = keyOf(stroke);
  return stroke.repeat && !REPEATING.includes(key) ? null : key;
};

/** Returns whether the key press opens the palette: Ctrl K, or ⌘ K on a Mac, where Ctrl K edits text. */
export const isPaletteKey = (stroke: KeyPress, isMac: boolean): boolean =>
  (isMac ? stroke.metaKey && !stroke.ctrlKey : stroke.ctrlKey && !stroke.metaKey) &&
  !stroke.altKey &&
  !stroke.shiftKey &&
  !stroke.isComposing &&
  !stroke.repeat &&
  keyOf(stroke) === 'k';

/** The properties of a KeyboardEvent that determine the action. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'repeat'
>;

const LETTER = /^\p{L}$/u;
const LATIN = /^\p{Script=Latin}$/u;

/** Keys that may repeat while pressed, since they only move the cursor. */
const REPEATING: readonly string[] = ['j', 'k'];

/**
 * The key as shortcuts name it: `j`, `X` (with Shift), `Enter`, `/`. Layouts without Latin letters use the physical
 * position of the key, and Caps Lock is ignored.
 */
export const keyOf = ({ key, code, shiftKey }: KeyPress): string => {
  const isForeign = LETTER.test(key) && !LATIN.test(key);
  const letter = isForeign ? (/^Key([A-Z])$/.exec(code)?.[1] ?? key) : key;
  if (!LETTER.test(letter)) return letter;
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
};

/**
 * The key of a shortcut without modifiers such as Ctrl or Alt; null: not a shortcut, or the repetition of a key that
 * must act once.
 */
export const singleKeyOf = (stroke: KeyPress): string | null => {
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey) return null;
  // Input methods handle these keys themselves.
  if (stroke.isComposing || stroke.key === 'Process' || stroke.key === 'Dead') return null;
  const key = keyOf(stroke);
  return stroke.repeat && !REPEATING.includes(key) ? null : key;
};

/** Whether it opens the palette: Ctrl K, or ⌘ K on a Mac, where Ctrl K edits text. */
export const isPaletteKey = (stroke: KeyPress, isMac: boolean): boolean =>
  (isMac ? stroke.metaKey && !stroke.ctrlKey : stroke.ctrlKey && !stroke.metaKey) &&
  !stroke.altKey &&
  !stroke.shiftKey &&
  !stroke.isComposing &&
  !stroke.repeat &&
  keyOf(stroke) === 'k';

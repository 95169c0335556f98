import type { JSX } from 'preact';
import { words } from '../shell/language.ts';

const SHIFTED = /^\p{Lu}$/u;

/** Returns the labels of the keys to press for a shortcut. For example, `X` needs Shift and x. */
const pressed = (key: string): readonly string[] => {
  const { keyNames } = words.value.shortcuts;
  if (key === 'Enter' || key === 'Escape') return [keyNames[key]];
  return SHIFTED.test(key) ? [keyNames.Shift, key.toLowerCase()] : [key];
};

/** Keyboard keys. The keys of a sequence are listed one after another. */
export const Keys = ({ keys }: { keys: readonly string[] }): JSX.Element => (
  <span class="keys">
    {keys.flatMap(pressed).map((key, index) => (
      <kbd key={index}>{key}</kbd>
    ))}
  </span>
);

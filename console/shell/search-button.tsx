import type { JSX } from 'preact';
import { IS_MAC, PALETTE_KEYS } from '../keys/platform.ts';
import { Icon } from '../parts/icon.tsx';
import { words } from './language.ts';
import { overlay } from './overlay.ts';
import { shortcuts } from './shortcuts.ts';

/** A button that opens the palette. */
export const SearchButton = (): JSX.Element => {
  const hasKeys = shortcuts.value !== 'off';
  return (
    <button
      class="search-button"
      aria-haspopup="dialog"
      aria-keyshortcuts={hasKeys ? (IS_MAC ? 'Meta+K' : 'Control+K') : undefined}
      onClick={() => {
        overlay.value = 'palette';
      }}
    >
      <Icon name="search" />
      <span class="label">{words.value.common.search}</span>
      {hasKeys && (
        <span class="label keys">
          {PALETTE_KEYS.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </button>
  );
};

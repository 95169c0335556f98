import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { words } from '../shell/language.ts';
import { Icon } from './icon.tsx';

export interface CopyLineProps {
  text: string;
  /** description of the text for screen readers */
  label: string;
}

/** A text to copy, such as a URL or a command of one or several lines. */
export const CopyLine = ({ text, label }: CopyLineProps): JSX.Element => {
  const copied = useSignal(false);
  const code = useRef<HTMLElement>(null);
  const { copy, copied: done } = words.value.common;
  const take = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      copied.value = true;
    } catch {
      // Browsers provide no clipboard over plain http: select the text, so that the user can copy it.
      if (code.current) getSelection()?.selectAllChildren(code.current);
    }
  };
  return (
    <div class="copy-line">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code ref={code}>{text}</code>
      </pre>
      <button type="button" class="button" aria-label={`${copy}: ${label}`} onClick={() => void take()}>
        <Icon name="copy" /> <span aria-live="polite">{copied.value ? done : copy}</span>
      </button>
    </div>
  );
};

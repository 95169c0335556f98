import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface SearchFieldProps {
  label: string;
  /** the text that is searched for now */
  value: string;
  /** an example, shown while it is empty */
  placeholder?: string;
  id?: string;
  /** what is typed, without blanks around it, when no key was pressed for a moment */
  onSearch: (text: string) => void;
}

/** How long to wait after a keystroke, milliseconds. */
const REST_MS = 300;
const LONGEST = 100;

/** A field that searches a list while one types. */
export const SearchField = ({ label, value, placeholder, id, onSearch }: SearchFieldProps): JSX.Element => {
  const text = useSignal(value);
  const latest = useRef({ value, onSearch });
  latest.current = { value, onSearch };
  // "Back" and links change the address alone.
  useEffect(() => {
    if (value !== text.value.trim()) text.value = value;
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const wanted = text.value.trim();
      if (wanted !== latest.current.value) latest.current.onSearch(wanted);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text.value]);
  return (
    <input
      id={id}
      type="search"
      value={text.value}
      maxLength={LONGEST}
      onInput={({ currentTarget }) => {
        text.value = currentTarget.value;
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.blur();
      }}
      placeholder={placeholder ?? label}
      aria-label={label}
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
    />
  );
};

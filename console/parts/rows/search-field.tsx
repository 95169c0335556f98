import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface SearchFieldProps {
  label: string;
  /** the current search text */
  value: string;
  /** example shown while the field is empty */
  placeholder?: string;
  id?: string;
  /** called with the trimmed text after the debounce */
  onSearch: (text: string) => void;
}

/** Debounce in milliseconds. */
const REST_MS = 300;
const LONGEST = 100;

/** A search field that filters while the user types. */
export const SearchField = ({ label, value, placeholder, id, onSearch }: SearchFieldProps): JSX.Element => {
  const text = useSignal(value);
  const latest = useRef({ value, onSearch });
  latest.current = { value, onSearch };
  // "Back" and links change the search text in the URL only, so copy it into the field.
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

import type { JSX } from 'preact';
import { chooseLanguage, language, LANGUAGES, words, type Language } from './language.ts';
import { shortcuts } from './shortcuts.ts';
import { theme, THEMES } from './theme.ts';

/** The name of each language in that language itself, so that people recognise their own language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ru: 'Русский',
};

export const LanguageChoice = (): JSX.Element => (
  <label class="preference">
    <span>{words.value.shell.language}</span>
    <select
      value={language.value}
      onChange={({ currentTarget }) => void chooseLanguage(currentTarget.value as Language)}
    >
      {LANGUAGES.map((one) => (
        <option key={one} value={one} lang={one} selected={one === language.value}>
          {LANGUAGE_NAMES[one]}
        </option>
      ))}
    </select>
  </label>
);

export const ThemeChoice = (): JSX.Element => {
  const { theme: label, themes } = words.value.shell;
  const options = [null, ...THEMES] as const;
  return (
    <fieldset class="preference">
      <legend>{label}</legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option ?? 'system'}>
            <input
              type="radio"
              name="theme"
              checked={theme.value === option}
              onChange={() => {
                theme.value = option;
              }}
            />
            <span>{themes[option ?? 'system']}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

/**
 * A checkbox that turns off single-key shortcuts. Some people trigger shortcuts by accident or through speech input.
 */
export const ShortcutsChoice = (): JSX.Element => (
  <label class="preference">
    <span>{words.value.shell.shortcuts}</span>
    <input
      type="checkbox"
      checked={shortcuts.value === null}
      onChange={({ currentTarget }) => {
        shortcuts.value = currentTarget.checked ? null : 'off';
      }}
    />
  </label>
);

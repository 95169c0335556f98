import { LANGUAGES } from '../../../../domain/page/languages.ts';
import { PAGE_LANGUAGES } from '../../../../messages/words/languages.ts';

interface Option {
  value: string;
  label: string;
}

/**
 * Returns the languages that a page can have, those with translations first.
 *
 * @param locale language in which the languages are named
 */
export const languageOptions = (locale: string): Option[] => {
  const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'code' });
  const option = (value: string): Option => ({ value, label: names.of(value) ?? value });
  const spoken = new Set<string>(PAGE_LANGUAGES);
  const others = LANGUAGES.filter((one) => !spoken.has(one)).map(option);
  return [...PAGE_LANGUAGES.map(option), ...others.sort((a, b) => a.label.localeCompare(b.label, locale))];
};

/**
 * Returns the time zones that a page can have.
 *
 * @param current the page's current zone; always included, because the browser might list it under another name
 */
export const zoneOptions = (current: string): Option[] => {
  const zones = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')]);
  return [...zones].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
};

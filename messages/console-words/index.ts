import type { PageLanguage } from '../words/languages.ts';
import type { ConsoleWords } from './words.ts';

export type { ConsoleWords } from './words.ts';

/** Functions that load the console's texts, by language. A browser loads only the language that it needs. */
export const CONSOLE_WORDS: Readonly<Record<PageLanguage, () => Promise<ConsoleWords>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  ru: async () => (await import('./ru.ts')).ru,
};

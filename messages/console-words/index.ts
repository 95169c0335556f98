import type { PageLanguage } from '../words/languages.ts';
import type { ConsoleWords } from './words.ts';

export type { ConsoleWords } from './words.ts';

/** Loads the console's texts in one language, because a browser needs only one. */
export const CONSOLE_WORDS: Readonly<Record<PageLanguage, () => Promise<ConsoleWords>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  ru: async () => (await import('./ru.ts')).ru,
};

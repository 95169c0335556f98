/** The languages that our words are written in, by ISO 639-1; the first stands for all others. */
export const PAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'ru'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The language that a page speaks: its own where we have words in it, else English. */
export const pageLanguage = (language: string): PageLanguage =>
  PAGE_LANGUAGES.find((known) => known === language) ?? 'en';

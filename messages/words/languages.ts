/** The languages with translations, by ISO 639-1; the first one is the fallback. */
export const PAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'ru'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Returns the language of a page's texts: its own if there is a translation, else English. */
export const pageLanguage = (language: string): PageLanguage =>
  PAGE_LANGUAGES.find((known) => known === language) ?? 'en';

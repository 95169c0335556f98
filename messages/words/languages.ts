/** ISO 639-1 codes of the languages with translations. The first one is the fallback. */
export const PAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'ru'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Returns the language of a page's texts: the page's language if there is a translation, and otherwise English. */
export const pageLanguage = (language: string): PageLanguage =>
  PAGE_LANGUAGES.find((known) => known === language) ?? 'en';

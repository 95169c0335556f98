import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ru } from './ru.ts';
import type { Words } from './words.ts';

export type { Happening, Words } from './words.ts';

/** Every language that Uptrail speaks, by its ISO 639-1 code. */
export const LANGUAGES: ReadonlyMap<string, Words> = new Map(
  [en, de, fr, es, ru].map((words) => [words.language, words]),
);

/** The words of a page's language; those of English for languages that are not spoken here. */
export const wordsFor = (language: string): Words => LANGUAGES.get(language.toLowerCase()) ?? en;

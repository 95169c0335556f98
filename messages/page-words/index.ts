import { pageLanguage, type PageLanguage } from '../words/languages.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ru } from './ru.ts';
import type { PageWords } from './words.ts';

export type { PageWords } from './words.ts';

const WORDS: Readonly<Record<PageLanguage, PageWords>> = { en, de, fr, es, ru };

/** Returns the texts of pages in a language, or in English if there is no translation. */
export const pageWordsFor = (language: string): PageWords => WORDS[pageLanguage(language)];

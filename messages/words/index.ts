import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pageLanguage, type PageLanguage } from './languages.ts';
import { ru } from './ru.ts';
import type { Words } from './words.ts';

export type { MessageKind, Words } from './words.ts';

const WORDS: Readonly<Record<PageLanguage, Words>> = { en, de, fr, es, ru };

/** Returns the texts in a page's language, or in English if there is no translation. */
export const wordsFor = (language: string): Words => WORDS[pageLanguage(language)];

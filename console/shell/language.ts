import { computed, signal } from '@preact/signals';
import { CONSOLE_WORDS, type ConsoleWords } from '../../messages/console-words/index.ts';
import { PAGE_LANGUAGES, type PageLanguage } from '../../messages/words/languages.ts';
import { storedPreference } from './stored-preference.ts';

export const LANGUAGES = PAGE_LANGUAGES;
export type Language = PageLanguage;

const chosen = storedPreference('language', LANGUAGES);
const loaded = signal<{ language: Language; words: ConsoleWords } | null>(null);

const shown = computed(() => {
  if (!loaded.value) throw new Error('No language has been loaded yet.');
  return loaded.value;
});

/** The language of the console. */
export const language = computed<Language>(() => shown.value.language);

/** The console's texts. */
export const words = computed<ConsoleWords>(() => shown.value.words);

/** Returns the first of the browser's languages that has a translation, or English if there is none. */
const preferred = (): Language => {
  for (const tag of navigator.languages) {
    const known = LANGUAGES.find((one) => tag.toLowerCase().split('-')[0] === one);
    if (known) return known;
  }
  return 'en';
};

const show = async (language: Language): Promise<void> => {
  const words = await CONSOLE_WORDS[language]();
  loaded.value = { language, words };
  document.documentElement.lang = language;
};

/** Loads the texts of the user's language. */
export const startLanguage = (): Promise<void> => show(chosen.value ?? preferred());

/** Sets the language for this browser. */
export const chooseLanguage = async (language: Language): Promise<void> => {
  await show(language);
  chosen.value = language;
};

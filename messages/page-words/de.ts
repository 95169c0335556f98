import type { PageWords } from './words.ts';

export const de: PageWords = {
  skipToContent: 'Zum Inhalt springen',
  history: 'Verlauf',
  subscribe: 'Abonnieren',
  backTo: (page) => `Zurück zu ${page}`,
  notFound: 'Seite nicht gefunden',
  notFoundText: 'Unter dieser Adresse gibt es nichts. Vielleicht wurde es entfernt, oder der Link ist unvollständig.',
};

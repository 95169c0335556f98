import { plurals } from '../../words/plurals.ts';
import type { PaletteWords } from '../words/palette.ts';

export const palette: PaletteWords = {
  title: 'Suche und Befehle',
  placeholder: 'Prüfungen, Seiten, Aktionen suchen …',
  groups: {
    recent: 'Zuletzt geöffnet',
    screens: 'Ansichten',
    actions: 'Aktionen',
    checks: 'Prüfungen',
    heartbeats: 'Heartbeats',
    pages: 'Statusseiten',
    more: 'Mehr',
  },
  newCheck: 'Neue Prüfung',
  newHeartbeat: 'Neuer Heartbeat',
  newIncident: 'Neue Störung',
  choice: (preference, option) => `${preference}: ${option}`,
  inList: (text) => `Prüfungen nach „${text}“ filtern`,
  choosePage: 'Auf welcher Seite erscheint die Störung?',
  noPages: 'Es gibt noch keine Statusseite, auf der eine Störung erscheinen könnte.',
  searching: 'Suche läuft …',
  results: plurals('de', { one: 'Treffer', other: 'Treffer' }),
  nothing: 'Nichts gefunden.',
};

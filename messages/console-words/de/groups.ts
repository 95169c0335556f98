import { plurals } from '../../words/plurals.ts';
import type { GroupWords } from '../words/groups.ts';

export const groups: GroupWords = {
  new: 'Neue Gruppe',
  empty: 'Noch keine Gruppen',
  emptyText:
    'Eine Gruppe enthält Prüfungen, die zusammengehören, etwa die eines Dienstes. Sie zeigt deren Zustand und kann sie gemeinsam pausieren.',
  checks: plurals('de', { one: 'Prüfung', other: 'Prüfungen' }),
  ungrouped: 'Prüfungen ohne Gruppe',
  pausedGroup: 'als Gruppe pausiert',
  moveUp: 'Nach oben',
  moveDown: 'Nach unten',
  drag: 'An eine andere Stelle ziehen',
  moved: (name, place, count) => `${name}: Platz ${place} von ${count}`,
  color: 'Farbe',
  noColor: 'Keine Farbe',
  otherColor: 'Farbcode',
  active: 'Die Prüfungen dieser Gruppe laufen',
  activeHint: 'Sonst läuft keine von selbst.',
  deleteTitle: 'Gruppe löschen?',
  deleteText: (checks) => `${checks} der Gruppe bleiben erhalten und gehören danach zu keiner Gruppe.`,
};

import { plurals } from '../../words/plurals.ts';
import type { TagWords } from '../words/tags.ts';

const checks = plurals('de', { one: 'Prüfung', other: 'Prüfungen' });
const heartbeats = plurals('de', { one: 'Heartbeat', other: 'Heartbeats' });

export const tags: TagWords = {
  tag: 'Schlagwort',
  filter: 'Schlagwörter filtern',
  matches: plurals('de', { one: 'Schlagwort', other: 'Schlagwörter' }),
  noMatch: 'Kein Schlagwort enthält diesen Text.',
  empty: 'Noch keine Schlagwörter',
  emptyText:
    'Prüfungen und Heartbeats erhalten Schlagwörter, wo sie bearbeitet werden. Alarmregeln, Komponenten und Berichte können statt einer Prüfung ein Schlagwort nennen.',
  checks: 'Prüfungen',
  failing: 'Gestört',
  heartbeats: 'Anzahl Heartbeats',
  late: 'Überfällig',
  more: plurals('de', {
    one: 'weiteres Schlagwort: Filter eingrenzen',
    other: 'weitere Schlagwörter: Filter eingrenzen',
  }),
  rename: 'Umbenennen',
  newName: 'Neuer Name',
  rule: 'Nur Kleinbuchstaben, Ziffern und . _ : -, höchstens 50.',
  renameTitle: (tag) => `Schlagwort ${tag} umbenennen`,
  renameText: 'Gibt es den neuen Namen schon, werden beide zu einem.',
  removeTitle: (tag) => `Schlagwort ${tag} überall entfernen?`,
  removeText: 'Das lässt sich nicht rückgängig machen.',
  affected: (ofChecks, ofHeartbeats) => `Betroffen: ${checks(ofChecks)} und ${heartbeats(ofHeartbeats)}.`,
  kept: 'Alarmregeln, Komponenten und Berichte, die das Schlagwort nennen, bleiben unverändert.',
  rules: plurals('de', { one: 'Alarmregel nennt es', other: 'Alarmregeln nennen es' }),
};

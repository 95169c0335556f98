import { plurals } from '../../words/plurals.ts';
import type { CheckStartWords } from '../words/check-start.ts';

const days = plurals('de', { one: 'Tag', other: 'Tage' });

export const checkStart: CheckStartWords = {
  question: 'Was soll überwacht werden?',
  example: 'Etwa shop.example.com, https://api.example.com/health, db.example.com:5432',
  address: 'Adresse',
  unclear: 'Geben Sie eine URL, einen Rechner mit oder ohne Port, oder eine IP-Adresse ein.',
  proposal: 'Das wird überwacht',
  name: 'Bezeichnung',
  type: 'Art',
  keyword: 'Text, der vorkommen muss',
  keywordHint: 'Ein Wort der Seite oder der Antwort, damit eine Fehlerseite als Ausfall zählt.',
  certificate: 'Zertifikat',
  certificateDays: (count) => `muss noch ${days(count)} gültig sein`,
  every: 'Läuft alle',
  submit: 'Überwachung starten',
  moreSettings: 'Alle Einstellungen',
  newCheck: 'Neue Prüfung',
  waiting: (name) => `${name}: wartet auf das erste Ergebnis …`,
  isUp: (name) => `${name} ist in Ordnung.`,
  isDown: (name) => `${name} ist ausgefallen.`,
  nextPage: 'Als Nächstes zeigt eine Statusseite das denen, die davon abhängen.',
  createPage: 'Statusseite anlegen',
  editCheck: 'Prüfung bearbeiten',
};

import { plurals } from '../../words/plurals.ts';
import type { RunnersWords } from '../words/runners.ts';

const processes = plurals('de', { one: 'Prozess', other: 'Prozesse' });
const types = plurals('de', { one: 'Art', other: 'Arten' });

export const runners: RunnersWords = {
  text: 'Ein Runner ist ein Programm auf einem anderen Rechner, das Prüfungen von dort ausführt. Er erreicht diesen Dienst über HTTPS und braucht keinen offenen Port.',
  none: 'Es gibt keine entfernten Runner: Der Dienst führt alle Prüfungen selbst aus. Ein Runner prüft von einem anderen Ort aus, oder was nur sein eigenes Netz erreicht.',
  noneRevoked: 'Kein Runner ist widerrufen.',
  inUse: 'In Gebrauch',
  make: 'Neuer Runner',
  state: 'Zustand',
  states: { connected: 'Verbunden', silent: 'Verstummt', waiting: 'Noch nie verbunden', revoked: 'Widerrufen' },
  lastContact: 'Letzter Kontakt',
  never: 'Nie',
  load: 'Auslastung',
  runs: (inFlight, capacity) => `${inFlight} von ${capacity}`,
  processes,
  program: 'Version und Adresse',
  types: 'Arten von Prüfungen',
  lacking: (count) => `${types(count)} nicht möglich`,
  alone: 'Einziger Runner seiner Region',
  ahead: (duration) => `Uhr geht ${duration} vor`,
  behind: (duration) => `Uhr geht ${duration} nach`,
  privateLocation: 'Privater Standort',
  otherOrganization: 'Organisation',
  nameHint: 'Etwa der Ort oder der Rechner.',
  where: 'Region',
  newLocation: 'Ein neuer privater Standort',
  inLocation: (name) => `Privater Standort: ${name}`,
  inPublic: (name) => `Öffentliche Region: ${name}`,
  privateHint:
    'Nur Prüfungen Ihrer Organisation können einen privaten Standort nennen. Er heißt wie sein ältester Runner.',
  publicHint:
    'Er dient allen Organisationen. Der eingebaute Runner überlässt ihm diese Region ab sofort, ob er verbunden ist oder nicht.',
  rename: 'Umbenennen',
  renameHint: 'Ein privater Standort heißt wie sein ältester Runner.',
  add: 'Weiterer Runner für diese Region',
  rotate: 'Token ersetzen',
  rotateTitle: 'Das Token ersetzen?',
  rotateText:
    'Das bisherige Token gilt, bis das neue benutzt wird, höchstens einen Tag. Wurde es gestohlen, widerrufen Sie stattdessen den Runner.',
  rotated: 'Starten Sie den Runner mit dem neuen Token. Bis dahin gilt das bisherige, höchstens einen Tag.',
  revoke: 'Widerrufen',
  revokeTitle: 'Diesen Runner widerrufen?',
  revokeText:
    'Sein Token wird ab sofort abgewiesen, und was er gerade ausführt, wird verworfen. Das lässt sich nicht rückgängig machen.',
  revokePublic: 'Der eingebaute Runner übernimmt die Region erst nach „uptrail runner release“ wieder.',
  once: 'Kopieren Sie das Token jetzt: Es wird nicht noch einmal angezeigt.',
  token: 'Runner-Token',
  start: 'In einem Terminal starten',
  startHint: 'Der Befehl fragt nach dem Token. So steht es weder im Verlauf der Shell noch in der Liste der Prozesse.',
  docker: 'Oder mit Docker, mit dem selbst gebauten Image',
  needsHttps:
    'Runner verweigern unverschlüsseltes http: Geben Sie dem Dienst eine https-Adresse, und nennen Sie diese im Befehl.',
  onlyHere:
    'Diese Adresse gilt nur auf diesem Rechner. Anderswo braucht ein Runner die öffentliche https-Adresse des Dienstes.',
  kept: 'Ich habe es kopiert',
};

import { plurals } from '../../words/plurals.ts';
import type { SubscribersWords } from '../words/subscribers.ts';

const subscribersOf = plurals('de', { one: 'Abonnent', other: 'Abonnenten' });
const componentsOf = plurals('de', { one: 'Komponente', other: 'Komponenten' });
const moreLines = plurals('de', { one: 'weitere Zeile wurde abgelehnt', other: 'weitere Zeilen wurden abgelehnt' });

export const subscribers: SubscribersWords = {
  none: 'Noch keine Abonnenten',
  noneText:
    'Besucher abonnieren auf der Seite. Hier können Sie sie hinzufügen oder die eines anderen Dienstes importieren.',
  noMatch: 'Es wurde kein Abonnent gefunden.',
  add: 'Abonnent hinzufügen',
  import: 'Importieren',
  export: 'CSV exportieren',
  search: 'Adressen suchen',
  searchHint: 'Eine ganze Adresse, oder ein Teil davon, wie er hier steht',
  mode: 'Art',
  modes: { email: 'E-Mail', sms: 'SMS', webhook: 'Webhook' },
  status: 'Status',
  statuses: {
    active: 'Aktiv',
    pending: 'Wartet auf Bestätigung',
    quarantined: 'Nicht zustellbar',
    unsubscribed: 'Abbestellt',
  },
  paused: 'Pausiert',
  address: 'Adresse',
  scope: 'Über',
  everything: 'Alles',
  componentsOf,
  oneIncident: 'Eine Störung',
  since: 'Abonniert',
  count: subscribersOf,
  purgedAt: 'wird gelöscht am',
  addTitle: 'Abonnent hinzufügen',
  addText: 'Er bekommt eine Nachricht mit einem Link zum Bestätigen. Wer schon wartet, wird noch einmal gefragt.',
  email: 'E-Mail-Adresse',
  phone: 'Handynummer',
  country: 'Land',
  countryHint: 'Zwei Buchstaben, wie DE.',
  endpoint: 'Adresse des Webhooks',
  endpointHint: 'Eine Adresse mit https, die auf unsere Probe antwortet.',
  skipConfirmation: 'Nicht um Bestätigung bitten',
  skipConfirmationHint: 'Nur wenn anderswo zugestimmt wurde.',
  scopeHint: 'Nichts gewählt: alles.',
  added: 'Der Abonnent wurde hinzugefügt.',
  addedPending: 'Der Abonnent wurde hinzugefügt und um Bestätigung gebeten.',
  secret: 'Geheimnis des Webhooks',
  secretText: 'Nachrichten sind damit signiert. Es wird nur dieses eine Mal gezeigt.',
  askAgain: 'Erneut um Bestätigung bitten',
  askAgainText:
    'Adressen sind versiegelt gespeichert. Geben Sie die ganze Adresse ein: Der Link wird noch einmal verschickt, und was gewünscht war, bleibt.',
  editScope: 'Ändern, worum es geht',
  pause: 'Pausieren',
  resume: 'Fortsetzen',
  rotate: 'Neues Geheimnis',
  rotateTitle: 'Dem Webhook ein neues Geheimnis geben?',
  rotateText: 'Einen Tag lang sind Nachrichten mit beiden signiert.',
  deleteTitle: 'Abonnent entfernen?',
  deleteText: (address) =>
    `${address} bekommt keine Nachrichten mehr, und die Adresse wird vergessen. Niemand erfährt davon.`,
  deleted: 'Der Abonnent wurde entfernt.',
  importTitle: 'Abonnenten importieren',
  importText:
    'Eine CSV-Datei mit bis zu 1 MiB und 10.000 Zeilen, mit den Spalten eines Exports oder denen von Statuspage. Dieselbe Datei kann noch einmal geschickt werden: Wer bekannt ist, bleibt, wie er ist.',
  file: 'Datei',
  importSkip: 'Nicht um Bestätigung bitten',
  importSkipHint: 'Nur wenn anderswo zugestimmt wurde. Webhooks werden immer geprüft.',
  imported: (added, unchanged, refused) =>
    `${added.toString()} hinzugefügt, ${unchanged.toString()} schon bekannt, ${refused.toString()} abgelehnt`,
  line: 'Zeile',
  problem: 'Problem',
  moreLines,
  anotherFile: 'Weitere Datei importieren',
  exporting: 'Der Export enthält ganze Adressen und wird im Prüfprotokoll vermerkt.',
};

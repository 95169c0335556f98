import type { BulkWords } from '../words/bulk.ts';

export const bulk: BulkWords = {
  newCheck: 'Neue Prüfung',
  group: 'Gruppe',
  noGroup: 'Keine Gruppe',
  interval: 'Abstand',
  timeout: 'Zeitlimit',
  regions: 'Regionen',
  channels: 'Kanäle',
  channelsHint: 'Setzt die Kanäle aller Alarmregeln dieser Prüfungen. Eine ohne Regeln erhält eine für Ausfälle.',
  noChannels: 'Es gibt noch keinen Alarmkanal.',
  more: 'Weiteres',
  set: 'Setzen',
};

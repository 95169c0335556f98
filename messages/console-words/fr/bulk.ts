import type { BulkWords } from '../words/bulk.ts';

export const bulk: BulkWords = {
  newCheck: 'Nouvelle vérification',
  group: 'Groupe',
  noGroup: 'Aucun groupe',
  interval: 'Intervalle',
  timeout: 'Délai maximal',
  regions: 'Régions',
  channels: 'Canaux',
  channelsHint:
    'Définit les canaux de toutes les règles d’alerte de ces vérifications. Sans règle, une règle d’échec est créée.',
  noChannels: 'Il n’y a pas encore de canal d’alerte.',
  more: 'Plus',
  set: 'Définir',
};

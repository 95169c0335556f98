import type { BulkWords } from '../words/bulk.ts';

export const bulk: BulkWords = {
  newCheck: 'Nueva comprobación',
  group: 'Grupo',
  noGroup: 'Ningún grupo',
  interval: 'Intervalo',
  timeout: 'Tiempo límite',
  regions: 'Regiones',
  channels: 'Canales',
  channelsHint:
    'Establece los canales de todas las reglas de alerta de estas comprobaciones. Si no hay ninguna, se crea una para fallos.',
  noChannels: 'Todavía no hay ningún canal de alerta.',
  more: 'Más',
  set: 'Establecer',
};

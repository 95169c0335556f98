import type { BulkWords } from '../words/bulk.ts';

export const bulk: BulkWords = {
  newCheck: 'Новая проверка',
  group: 'Группа',
  noGroup: 'Без группы',
  interval: 'Интервал',
  timeout: 'Время ожидания',
  regions: 'Регионы',
  channels: 'Каналы',
  channelsHint: 'Задаёт каналы всех правил оповещения этих проверок. Проверка без правил получает правило о сбоях.',
  noChannels: 'Каналов оповещения пока нет.',
  more: 'Ещё',
  set: 'Задать',
};

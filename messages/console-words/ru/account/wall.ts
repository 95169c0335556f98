import type { WallWords } from '../../words/account/wall.ts';

export const wall: WallWords = {
  alerts: 'открытых оповещений',
  late: 'опоздавших сигналов',
  incidents: 'инцидентов',
  more: (count) => `и ещё ${count}`,
  leave: 'Выйти',
};

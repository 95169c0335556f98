import type { WallWords } from '../../words/account/wall.ts';

export const wall: WallWords = {
  alerts: 'alertas abiertas',
  late: 'latidos con retraso',
  incidents: 'incidencias',
  more: (count) => `y ${count} más`,
  leave: 'Salir',
};

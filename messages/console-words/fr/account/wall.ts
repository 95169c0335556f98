import type { WallWords } from '../../words/account/wall.ts';

export const wall: WallWords = {
  alerts: 'alertes ouvertes',
  late: 'battements en retard',
  incidents: 'incidents en cours',
  more: (count) => `et ${count} de plus`,
  leave: 'Quitter',
};

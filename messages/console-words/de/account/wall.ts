import type { WallWords } from '../../words/account/wall.ts';

export const wall: WallWords = {
  alerts: 'offene Alarme',
  late: 'verspätete Heartbeats',
  incidents: 'Störungen',
  more: (count) => `und ${count} weitere`,
  leave: 'Verlassen',
};

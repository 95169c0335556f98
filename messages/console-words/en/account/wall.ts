import type { WallWords } from '../../words/account/wall.ts';

export const wall: WallWords = {
  alerts: 'open alerts',
  late: 'late heartbeats',
  incidents: 'incidents',
  more: (count) => `and ${count.toString()} more`,
  leave: 'Leave',
};

import type { WallWords } from '../../words/account/wall.ts';

export const wall: WallWords = {
  alerts: 'open alerts',
  late: 'late heartbeats',
  incidents: 'incidents',
  more: (count) => `and ${count} more`,
  leave: 'Leave',
};

import type { BulkWords } from '../words/bulk.ts';

export const bulk: BulkWords = {
  newCheck: 'New check',
  group: 'Group',
  noGroup: 'No group',
  interval: 'Interval',
  timeout: 'Timeout',
  regions: 'Regions',
  channels: 'Channels',
  channelsHint: 'Sets the channels of all alert rules of these checks. One without rules gets one for failures.',
  noChannels: 'There is no alert channel yet.',
  more: 'More',
  set: 'Set',
};

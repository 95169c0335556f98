import type { BulkWords } from '../words/bulk.ts';

export const bulk: BulkWords = {
  newCheck: 'New check',
  group: 'Group',
  noGroup: 'No group',
  interval: 'Interval',
  timeout: 'Timeout',
  regions: 'Regions',
  channels: 'Channels',
  channelsHint: 'Sets the channels of all alert rules of these checks. A check without rules gets a rule for failures.',
  noChannels: 'There are no alert channels yet.',
  more: 'More',
  set: 'Set',
};

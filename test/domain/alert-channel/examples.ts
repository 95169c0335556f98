import type { Fact } from '../../projections/history.ts';

export const organization_id = 'org000000001';
export const channel_id = 'channel00001';
export const bot_token = { key: 'alert_channel-channel00001', sealed: 'c2VhbGVk' };
export const created: Fact = {
  type: 'AlertChannelCreated',
  data: {
    channel_id,
    organization_id,
    channel: { name: 'On call', type: 'telegram', configuration: { bot_token, chat_id: '-100' }, enabled: true },
  },
};
export const disabled: Fact = {
  type: 'AlertChannelUpdated',
  data: { channel_id, changes: { enabled: false }, previous: { enabled: true } },
};
export const moved: Fact = {
  type: 'AlertChannelChatMoved',
  data: { channel_id, chat_id: '-1001', previous_chat_id: '-100' },
};
export const tested: Fact = {
  type: 'AlertChannelTested',
  data: { channel_id, organization_id, type: 'telegram', configuration: 'stored' },
};
export const deleted: Fact = { type: 'AlertChannelDeleted', data: { channel_id } };

import { suite } from 'uvu';
import { alertChannels } from '../../../projections/alert-channels/projection.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const organization_id = 'org000000001';
const channel_id = 'channel00001';
const bot_token = { key: 'alert_channel-channel00001', sealed: 'c2VhbGVk' };
const created: Fact = {
  type: 'AlertChannelCreated',
  data: {
    channel_id,
    organization_id,
    channel: { name: 'On call', type: 'telegram', configuration: { bot_token, chat_id: '-100' }, enabled: true },
  },
};
const disabled: Fact = {
  type: 'AlertChannelUpdated',
  data: { channel_id, changes: { enabled: false }, previous: { enabled: true } },
};
const moved: Fact = {
  type: 'AlertChannelChatMoved',
  data: { channel_id, chat_id: '-1001', previous_chat_id: '-100' },
};
const deleted: Fact = { type: 'AlertChannelDeleted', data: { channel_id } };

projectionRules(alertChannels, [created, disabled, moved, deleted]);

const test = suite('the read model of alert channels');

test('has a channel as it is, at the chat that its group has moved to', async () => {
  await projection(alertChannels)
    .given(created, disabled, moved)
    .then('alert_channels', {
      id: channel_id,
      organization_id,
      name: 'On call',
      type: 'telegram',
      configuration: { bot_token, chat_id: '-1001' },
      enabled: false,
      created_at: '2026-11-20T15:00:00.000000',
      updated_at: '2026-11-20T15:00:02.000000',
      changed_position: 30,
    });
});

test('has none that was deleted', async () => {
  await projection(alertChannels).given(created, deleted).thenNone('alert_channels');
});

test.run();

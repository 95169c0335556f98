import { suite } from 'uvu';
import { alertChannels } from '../../../projections/alert-channels/projection.ts';
import {
  organization_id,
  channel_id,
  bot_token,
  created,
  disabled,
  moved,
  deleted,
} from '../../domain/alert-channel/examples.ts';
import { projection, projectionRules } from '../specification.ts';

projectionRules(alertChannels, [created, disabled, moved, deleted]);

const test = suite('the read model of alert channels');

test('an alert channel has its present state, including the chat to which its Telegram group has moved', async () => {
  await projection(alertChannels)
    .given(created, disabled, moved)
    .then('alert_channels', {
      id: channel_id,
      organization_id,
      name: 'On call',
      type: 'telegram',
      configuration: { bot_token, chat_id: '-1001' },
      enabled: false,
      revision: 3,
      created_at: '2026-11-20T15:00:00.000000',
      updated_at: '2026-11-20T15:00:02.000000',
      changed_position: 30,
    });
});

test('a deleted alert channel is removed from the read model', async () => {
  await projection(alertChannels).given(created, deleted).thenNone('alert_channels');
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  alertChannelDecider,
  createChannel,
  deleteChannel,
  existing,
  migrateChat,
  requireType,
  testChannel,
  updateChannel,
} from '../../../domain/alert-channel/alert-channel.ts';
import type { AlertChannelEvent, AlertChannelFields } from '../../../domain/alert-channel/events.ts';
import { Conflict, Invalid, NotFound } from '../../../domain/errors.ts';
import { specification } from '../specification.ts';

const channel = specification(alertChannelDecider);
const test = suite('an alert channel');

const channel_id = 'channel00001';
const fields: AlertChannelFields = {
  name: 'On call',
  type: 'telegram',
  configuration: { bot_token: { key: 'k', sealed: 's' }, chat_id: '-100' },
  enabled: true,
};
const made = { channel_id, organization_id: 'org000000001', channel: fields };
const created: AlertChannelEvent = { type: 'AlertChannelCreated', data: made };
const deleted: AlertChannelEvent = { type: 'AlertChannelDeleted', data: { channel_id } };
const moved: AlertChannelEvent = {
  type: 'AlertChannelChatMoved',
  data: { channel_id, chat_id: '-1001', previous_chat_id: '-100' },
};

test('an alert channel is created once', () => {
  channel
    .given()
    .when((state) => createChannel(state, made))
    .then(created);
  channel
    .given(created)
    .when((state) => createChannel(state, made))
    .throws(Conflict);
});

test('a change of an alert channel contains only the fields that differ', () => {
  const updated: AlertChannelEvent = {
    type: 'AlertChannelUpdated',
    data: { channel_id, changes: { enabled: false }, previous: { enabled: true } },
  };
  channel
    .given(created)
    .when((state) => updateChannel(state, { name: 'On call', enabled: false }))
    .then(updated);
  channel
    .given(created, updated)
    .when((state) => updateChannel(state, { enabled: false }))
    .thenNothing();
});

test("the type of an alert channel can't be changed", () => {
  const state = existing(alertChannelDecider.evolve({ status: 'absent' }, created));
  requireType(state, 'telegram');
  assert.throws(
    () => {
      requireType(state, 'max');
    },
    (error: unknown) => error instanceof Invalid,
  );
});

test('an alert channel is tested as stored or with the given configuration', () => {
  const data = { channel_id, organization_id: 'org000000001', type: 'telegram' } as const;
  const stored = { ...data, configuration: 'stored' } as const;
  const sent = { ...data, configuration: 'sent' } as const;
  channel
    .given(created)
    .when((state) => testChannel(state, stored))
    .then({ type: 'AlertChannelTested', data: stored });
  channel
    .given(created, deleted)
    .when((state) => testChannel(state, stored))
    .throws(NotFound);
  channel
    .given()
    .when((state) => testChannel(state, sent))
    .then({ type: 'AlertChannelTested', data: sent });
  channel
    .given({ type: 'AlertChannelTested', data: sent })
    .when((state) => createChannel(state, made))
    .then(created);
});

test('a Telegram channel follows the migration of its chat once', () => {
  channel
    .given(created)
    .when((state) => migrateChat(state, '-100', '-1001'))
    .then(moved);
  channel
    .given(created, moved)
    .when((state) => migrateChat(state, '-100', '-1001'))
    .thenNothing();
  channel
    .given(created, deleted)
    .when((state) => migrateChat(state, '-100', '-1001'))
    .thenNothing();
});

test('an alert channel is deleted once', () => {
  channel.given(created).when(deleteChannel).then(deleted);
  channel.given(created, deleted).when(deleteChannel).throws(NotFound, 'There is no such alert channel.');
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MASKED_TEXT } from '../../../domain/masking.ts';
import {
  isRecognizable,
  readConfiguration,
  receiversOf,
  shownChannelText,
} from '../../../notifiers/channels/configuration.ts';
import { CHANNEL_TYPE_NAMES, CHANNEL_TYPES } from '../../../notifiers/channels/index.ts';

const test = suite('types of alert channels');

test('alert channel types have unique names, and seal only fields that exist', () => {
  assert.is(new Set(CHANNEL_TYPE_NAMES).size, CHANNEL_TYPES.length);
  for (const { name, configuration, sealed } of CHANNEL_TYPES)
    assert.equal(
      Object.keys(sealed).filter((field) => !(field in configuration.properties)),
      [],
      name,
    );
});

test('alert channel types that share a sealed field show the field in the same format, as the audit log requires', () => {
  const fields = new Map<string, Set<string>>();
  for (const { sealed } of CHANNEL_TYPES)
    for (const [field, { format }] of Object.entries(sealed))
      fields.set(field, (fields.get(field) ?? new Set()).add(format('https://hooks.example/s3cret', false)));
  for (const [field, shown] of fields) assert.is(shown.size, 1, field);
});

test('sealed texts of unknown alert channel types are masked', () => {
  const url = { field: 'url', name: null };
  const text = 'https://hooks.example/s3cret';
  assert.is(shownChannelText(text, url, 'webhook', true), text);
  assert.is(shownChannelText(text, url, null, false), 'https://hooks.example/***');
  for (const [place, type] of [
    [{ field: 'api_key', name: null }, null],
    [{ field: 'api_key', name: null }, 'email'],
    [url, 'hologram'],
  ] as const) {
    assert.is(shownChannelText(text, place, type, true), MASKED_TEXT);
    assert.is(isRecognizable(place, type), false);
  }
});

test('an alert channel has no receivers if only another release knows its type', () => {
  const read = readConfiguration('hologram', { api_key: 's3cret' }, null);
  assert.equal(read, { problems: { type: ['This release does not know channels of the type hologram.'] } });
  assert.equal(receiversOf({ id: 'channel00001', type: 'hologram' }, { api_key: 's3cret' }), []);
});

test('the receivers of an alert channel are numbered if its type allows several', () => {
  const ids = (type: string, configuration: Record<string, unknown>): string[] =>
    receiversOf({ id: 'channel00001', type }, configuration).map(({ id }) => id);
  assert.equal(ids('email', { recipients: ['jane@example.com'] }), ['channel00001/1']);
  assert.equal(ids('slack', { webhook_url: 'https://hooks.slack.com/x' }), ['channel00001']);
  assert.equal(ids('statuspage', {}), []);
});

test.run();

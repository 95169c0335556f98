import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definitionOf, eventTypes } from '../../../domain/event-types.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { describeEvent } from '../../../queries/history/describe.ts';
import { goldenEvents } from '../../golden/golden.ts';
import { marked, OPEN, secretsIn } from '../marked-secrets.ts';

const test = suite('secrets and the history of resources');

/** Returns an event of the current version of each type. */
const current = (): RecordedEvent[] =>
  [...goldenEvents().values()]
    .filter(({ type, metadata }) => definitionOf(type)?.version === metadata.schema_version)
    .map((event) => ({ ...event, data: marked(event.data, event.type) }) as unknown as RecordedEvent);

test('no history contains a secret, a sealed text or the fingerprint of an address, whatever the type of the event', async () => {
  const events = current();
  assert.is(events.length, Object.values(eventTypes).flatMap(Object.keys).length);
  assert.ok(JSON.stringify(events).includes('MARK<SubscriberConfirmationRequested.address_key>'));
  for (const event of events) {
    const { changes } = await describeEvent(event, OPEN, new Map());
    assert.equal(secretsIn(JSON.stringify(changes)), [], event.type);
  }
});

test('a history shows the measurements of checks and heartbeats, and the failed challenges of subscribers', async () => {
  const shown = new Map<string, string[]>();
  for (const event of current())
    shown.set(event.type, Object.keys((await describeEvent(event, OPEN, new Map())).changes));
  assert.equal(shown.get('CheckWentDown'), ['slot', 'region', 'at', 'error_message']);
  assert.equal(shown.get('HeartbeatRecovered'), ['number', 'recovered_at', 'duration']);
  assert.equal(shown.get('SubscriberChallengeFailed'), ['number', 'attempt', 'reason', 'failed_at']);
  assert.equal(shown.get('SubscriberConfirmationRequested'), []);
});

test.run();

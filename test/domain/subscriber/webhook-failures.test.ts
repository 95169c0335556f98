import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quarantineReason } from '../../../domain/subscriber/webhook-failures.ts';
import { instantOf } from '../../../domain/time.ts';

const test = suite('failing webhooks');

const START = Date.UTC(2026, 10, 20, 15);
const attempts = (outcome: 'failed' | 'delivered', ...minutes: readonly number[]) =>
  minutes.map((minute) => ({ outcome, begun_at: instantOf(START + minute * 60_000) }));
const TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 60];

test('a webhook is quarantined after ten failed requests in a row over an hour', () => {
  assert.match(
    quarantineReason(attempts('failed', ...TEN)) ?? '',
    /^The last 10 requests, over more than an hour, have failed/,
  );
  assert.match(quarantineReason(attempts('failed', ...TEN).reverse()) ?? '', 'The last 10 requests', 'in any order');
});

test('a webhook is not quarantined after fewer failed requests or within an hour', () => {
  assert.is(quarantineReason([]), null);
  assert.is(quarantineReason(attempts('failed', ...TEN.slice(1))), null);
  assert.is(quarantineReason(attempts('failed', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 59)), null);
});

test('each successful request of a webhook restarts its count of failures', () => {
  assert.is(quarantineReason([...attempts('failed', ...TEN), ...attempts('delivered', 61)]), null);
  assert.is(quarantineReason([...attempts('failed', ...TEN), ...attempts('delivered', 5.5)]), null);
  const later = TEN.map((minute) => minute + 100);
  assert.ok(
    quarantineReason([...attempts('failed', 0), ...attempts('delivered', 50), ...attempts('failed', ...later)]),
  );
});

test.run();

import { EventEmitter } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createStreamLimit, eventStreamLimits, STREAM_LIMITS } from '../../../http/media/stream-limit.ts';

const test = suite('limits of endless responses');

const refused = (status: number) => (error: unknown) => (error as { status: number }).status === status;
const response = () => new EventEmitter();

test('the number of endless responses is limited by client address, and an IPv6 network counts as one address', () => {
  const admit = createStreamLimit({ total: 10, perAddress: 2 });
  const first = response();
  admit('2001:db8::1', first);
  admit('2001:db8::2', response());
  assert.throws(() => {
    admit('2001:db8::3', response());
  }, refused(429));
  admit('2001:db8:0:1::1', response());
  first.emit('close');
  admit('2001:db8::3', response());
});

test('the total number of endless responses is limited', () => {
  const admit = createStreamLimit({ total: 2, perAddress: 2 });
  const first = response();
  admit('192.0.2.1', first);
  admit('192.0.2.2', response());
  assert.throws(() => {
    admit('192.0.2.3', response());
  }, refused(503));
  first.emit('close');
  admit('192.0.2.3', response());
});

test('event streams have a separate limit, half of which a single address can use', () => {
  assert.equal(eventStreamLimits(2_000), { total: 2_000, perAddress: 1_000 });
  assert.equal(eventStreamLimits(1), { total: 1, perAddress: 1 });
  assert.equal(eventStreamLimits(0), eventStreamLimits(STREAM_LIMITS.total));
});

test.run();

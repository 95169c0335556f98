import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../../domain/event.ts';
import { Tail } from '../../../../projections/engine/feed/tail.ts';
import { event } from '../../../contracts/event-store/events.ts';

const tail = suite('the tail of a log');

const recorded = (position: number, text = ''): RecordedEvent => ({
  ...event(position, { text }),
  stream: 'ship-1',
  revision: BigInt(position),
  position: BigInt(position),
});

const from = (first: number, count: number, text = ''): RecordedEvent[] =>
  Array.from({ length: count }, (_, index) => recorded(first + index, text));

tail('the tail of a log contains some thousand events', () => {
  const recent = new Tail(0n);
  recent.push(from(1, 4_000));
  assert.is(recent.after(0n, 5_000).length, 4_000);
  recent.push(from(4_001, 1));
  assert.not.ok(recent.covers(2_000n));
  assert.ok(recent.covers(2_001n));
  assert.equal([recent.after(2_001n, 5_000).length, recent.position], [2_000, 4_001n]);
});

tail('the tail of a log contains fewer events if they are large', () => {
  const recent = new Tail(0n);
  const large = 'x'.repeat(262_144);
  for (let first = 1; first <= 1_000; first += 10) recent.push(from(first, 10, large));
  const events = recent.after(936n, 1_000);
  assert.not.ok(recent.covers(800n));
  assert.ok(recent.covers(940n));
  assert.is(events.at(-1)?.position, 1_000n);
});

tail('the tail of a log omits an event larger than its capacity, which is read from the store instead', () => {
  const recent = new Tail(0n);
  recent.push(from(1, 200, 'x'.repeat(262_144)));
  assert.is(recent.position, 200n);
  assert.not.ok(recent.covers(100n));
  assert.ok(recent.covers(200n));
});

tail.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createServiceClock } from '../../../runners/remote/service-clock.ts';
import { fakeClock } from '../../network/fake-clock.ts';
import { HOUR_MS } from '../../../domain/time.ts';

const test = suite('the clock of the service as measured by a runner');

const HERE = 1_000_000_000_000;

test('the service clock is that of this machine until the first measurement', () => {
  const clock = fakeClock(HERE);
  const service = createServiceClock(clock);
  assert.is(service.now(), HERE);
  assert.is(service.offset(), null);
});

test('the service clock is measured at the middle of a request, and the shortest request is used', () => {
  const clock = fakeClock(HERE + HOUR_MS);
  const service = createServiceClock(clock);
  service.addSample({ sent: -20, received: 0, clock: HERE - 10 });
  assert.is(service.now(), HERE);
  assert.is(service.offset(), HOUR_MS);
  service.addSample({ sent: -400, received: 0, clock: HERE - 50 });
  assert.is(service.now(), HERE);
});

test('the service clock does not follow changes of this machine’s clock', async () => {
  const clock = fakeClock(HERE);
  const service = createServiceClock(clock);
  service.addSample({ sent: 0, received: 0, clock: HERE });
  clock.set(HERE + HOUR_MS);
  await clock.advance(1_000);
  assert.is(service.now(), HERE + 1_000);
  assert.is(service.offset(), HOUR_MS);
});

test('the service clock is measured again after it was set, or after this machine has slept', async () => {
  const clock = fakeClock(HERE);
  const service = createServiceClock(clock);
  service.addSample({ sent: 0, received: 0, clock: HERE });
  await clock.advance(1_000);
  service.addSample({ sent: 900, received: 1_000, clock: HERE + HOUR_MS });
  assert.is(service.now(), HERE + HOUR_MS + 50);
});

test('the service clock is measured by requests of the last fifteen minutes', async () => {
  const clock = fakeClock(HERE);
  const service = createServiceClock(clock);
  service.addSample({ sent: 0, received: 0, clock: HERE });
  await clock.advance(901_000);
  service.addSample({ sent: 900_900, received: 901_000, clock: HERE + 901_000 });
  assert.is(service.now(), HERE + 901_050);
});

test.run();

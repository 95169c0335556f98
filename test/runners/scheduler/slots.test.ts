import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { derivedId } from '../../../domain/identity.ts';
import { nextSlot, regionOfSlot, runIdOf } from '../../../runners/scheduler/slots.ts';

const grid = suite('the slots of a check');
const NOW = Date.UTC(2026, 10, 20, 15);

grid('slots of a check are one interval apart, and each is after the given time', () => {
  let slot = nextSlot('check0000001', 60, NOW);
  assert.ok(slot > NOW && slot <= NOW + 60_000);
  for (let i = 0; i < 5; i++) {
    const next = nextSlot('check0000001', 60, slot);
    assert.is(next - slot, 60_000);
    slot = next;
  }
});

grid('slots of a check do not depend on when they are computed', () => {
  const slot = nextSlot('check0000001', 60, NOW);
  assert.is(nextSlot('check0000001', 60, slot - 1), slot);
  assert.is(nextSlot('check0000001', 60, slot - 59_999), slot);
  assert.is(nextSlot('check0000001', 60, slot), slot + 60_000);
});

grid('slots of different checks are spread evenly over the interval', () => {
  const seconds = new Array<number>(60).fill(0);
  for (let i = 0; i < 6_000; i++) {
    const second = Math.floor((nextSlot(derivedId(i.toString()), 60, NOW) - NOW - 1) / 1_000);
    seconds[second] = (seconds[second] ?? 0) + 1;
  }
  assert.ok(Math.min(...seconds) > 50 && Math.max(...seconds) < 160, seconds.join(' '));
});

grid('each scheduled run has one id, in the same form as other ids', () => {
  assert.is(runIdOf('check0000001', NOW), runIdOf('check0000001', NOW));
  assert.is.not(runIdOf('check0000001', NOW), runIdOf('check0000001', NOW + 60_000));
  assert.is.not(runIdOf('check0000001', NOW), runIdOf('check0000002', NOW));
  assert.match(runIdOf('check0000001', NOW), /^[a-z0-9]{12}$/);
});

grid('the slots of a check rotate through its regions', () => {
  const first = nextSlot('check0000001', 60, NOW);
  const taken = [0, 1, 2, 3, 4, 5].map((i) => regionOfSlot(['a', 'b', 'c'], 60, first + i * 60_000));
  assert.equal(new Set(taken.slice(0, 3)).size, 3);
  assert.equal(taken.slice(0, 3), taken.slice(3));
  assert.is(regionOfSlot(['a'], 60, first), 'a');
});

grid.run();

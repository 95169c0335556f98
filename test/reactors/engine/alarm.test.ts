import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAlarm } from '../../../reactors/engine/alarm.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the alarm of reactors');

const NEVER = 3_600_000;

/** Creates an alarm with a clock that can be set, and records wake-ups. */
const open = (look = NEVER) => {
  let set = 0;
  const woken: string[] = [];
  const clock = (): number => Date.now() + set;
  const alarm = createAlarm(clock, look);
  return {
    woken,
    clock,
    alarm,
    setBy: (milliseconds: number): void => {
      set += milliseconds;
    },
    wait: (name: string, at: number | null, offset = alarm.offset()) =>
      alarm.wait({ at, elapsed: null }, offset, () => {
        woken.push(name);
      }),
  };
};

test('waiters are woken at their times, earliest first, whatever their order of arrival', async () => {
  const { woken, clock, wait } = open();
  const ends = [wait('late', clock() + NEVER), wait('second', clock() + 40), wait('first', clock() + 5)];
  await eventually(() => woken.length === 2);
  assert.equal(woken, ['first', 'second']);
  for (const end of ends) end();
});

test('a waiter with a past time resumes immediately', async () => {
  const { woken, clock, wait } = open();
  wait('now', clock() - 5);
  await eventually(() => woken.length === 1);
});

test('a cancelled waiter does not resume', async () => {
  const { woken, clock, wait } = open();
  wait('gone', clock() + 2)();
  wait('there', clock() + 10);
  await eventually(() => woken.length === 1);
  assert.equal(woken, ['there']);
});

test('all waiters are woken when the clock is set forward or back, even those that wait for no particular time', async () => {
  for (const day of [86_400_000, -86_400_000]) {
    const { woken, clock, wait, setBy } = open(5);
    wait('timed', clock() + NEVER);
    wait('untimed', null);
    setBy(day);
    await eventually(() => woken.length === 2);
  }
});

test('a waiter with a limit on the elapsed time resumes although the clock stands still', async () => {
  const alarm = createAlarm(() => 0, NEVER);
  let woken = 0;
  alarm.wait({ at: NEVER, elapsed: 2 }, alarm.offset(), () => woken++);
  await eventually(() => woken === 1);
});

test('a waiter resumes if the clock was set between the reading of the clock and the start of the wait', async () => {
  const { woken, clock, wait, setBy, alarm } = open();
  const offset = alarm.offset();
  setBy(5_000);
  wait('late', clock() + NEVER, offset);
  await eventually(() => woken.length === 1);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planOf } from '../../../probes/icmp/plan.ts';

const plan = suite('planning the echo requests of an icmp check');

/** The requested values in a check's parameters. `interval` and `timeout` are in seconds. */
const wanted = (count: number, interval: number, timeout: number) => ({ count, interval, timeout });

plan('an icmp check sends the requested number of echo requests if there is time', () => {
  assert.equal(planOf(wanted(4, 1, 1), 10_000), { count: 4, interval: 1_000, timeout: 1_000 });
  assert.equal(planOf(wanted(100, 0.001, 0.1), 1_000), { count: 100, interval: 1, timeout: 100 });
  assert.equal(planOf(wanted(1, 10, 0.25), 1_000), { count: 1, interval: 10_000, timeout: 250 });
});

plan(
  'an icmp check sends as many echo requests as fit, including the wait for the last reply and a reserve of 0.6 s',
  () => {
    assert.is(planOf(wanted(100, 1, 1), 10_000)?.count, 9);
    assert.is(planOf(wanted(4, 1, 1), 4_600)?.count, 4);
    assert.is(planOf(wanted(4, 1, 1), 4_599)?.count, 3);
    assert.is(planOf(wanted(100, 0.5, 2), 30_000)?.count, 55);
  },
);

plan('an icmp check sends at least one echo request, and waits for the reply no longer than the remaining time', () => {
  assert.equal(planOf(wanted(4, 1, 1), 1_000), { count: 1, interval: 1_000, timeout: 650 });
  assert.equal(planOf(wanted(4, 10, 30), 30_000), { count: 1, interval: 10_000, timeout: 29_400 });
  assert.equal(planOf(wanted(4, 0.01, 1), 20), { count: 1, interval: 10, timeout: 13 });
});

plan('an icmp check without any time left sends nothing', () => {
  assert.is(planOf(wanted(4, 1, 1), 1), null);
  assert.is(planOf(wanted(4, 1, 1), 0), null);
  assert.is(planOf(wanted(4, 1, 1), -5), null);
});

plan('a plan of echo requests ends in time, whatever the check requests', () => {
  for (const count of [1, 2, 4, 7, 50, 100])
    for (const interval of [0.001, 0.02, 0.5, 1, 1.5, 10])
      for (const timeout of [0.1, 0.25, 1, 7, 30])
        for (const left of [2, 10, 99, 1_000, 1_250, 9_876.5, 30_000]) {
          const made = planOf(wanted(count, interval, timeout), left);
          if (!made) throw new Error('no plan');
          const lasts = (made.count - 1) * made.interval + made.timeout;
          assert.ok(lasts <= left - Math.min(600, left / 3), JSON.stringify({ ...made, left }));
          assert.ok(made.count >= 1 && made.count <= count);
        }
});

plan.run();

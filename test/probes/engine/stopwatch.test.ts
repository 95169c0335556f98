import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createStopwatch } from '../../../probes/engine/stopwatch.ts';

const measuring = suite('measuring the phases of a run');

const watch = () => {
  let time = 100;
  const stopwatch = createStopwatch({ monotonic: () => time });
  return {
    stopwatch,
    pass: (milliseconds: number): void => {
      time += milliseconds;
    },
  };
};

measuring('the phases of a run are measured in sequence, in whole milliseconds', () => {
  const { stopwatch, pass } = watch();
  stopwatch.enter('lookup');
  pass(1.4);
  stopwatch.enter('connect');
  pass(10.6);
  stopwatch.enter('first_byte');
  pass(100);
  assert.is(stopwatch.phase, 'first_byte');
  stopwatch.enter('transfer');
  pass(3);
  stopwatch.stop();
  pass(1_000);
  stopwatch.stop();
  assert.equal(stopwatch.timings(), { lookup: 1, connect: 11, tls: null, first_byte: 100, transfer: 3 });
  assert.is(stopwatch.total(), 115);
});

measuring('pauses do not count towards a phase of a run', () => {
  const { stopwatch, pass } = watch();
  stopwatch.enter('transfer');
  pass(5);
  stopwatch.stop();
  pass(1_000);
  stopwatch.enter('transfer');
  pass(7);
  stopwatch.stop();
  pass(1_000);
  stopwatch.stop();
  assert.is(stopwatch.timings().transfer, 12);
  assert.is(stopwatch.total(), 12);
});

measuring('the phases of a run add up over redirects', () => {
  const { stopwatch, pass } = watch();
  for (let hop = 0; hop < 3; hop++) {
    stopwatch.enter('lookup');
    pass(2);
    stopwatch.enter('transfer');
    pass(5);
    stopwatch.stop();
  }
  assert.equal(stopwatch.timings(), { lookup: 6, connect: null, tls: null, first_byte: null, transfer: 15 });
});

measuring.run();

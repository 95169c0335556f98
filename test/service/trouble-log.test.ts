import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTroubleLog, engineLog } from '../../service/trouble-log.ts';
import { ReadModelLate, ReadModelUnavailable } from '../../projections/readers.ts';
import { CoordinationUnavailable } from '../../stores/coordination/port.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import { ReadStoreUnavailable } from '../../stores/read-store/port.ts';

const test = suite('failures that are retried');

/** Opens a trouble log with a clock that only the test advances. */
const opened = () => {
  const lines: string[] = [];
  const fields: Record<string, unknown>[] = [];
  const write = (loggedFields: object, line: string): void => {
    lines.push(line);
    fields.push(loggedFields as Record<string, unknown>);
  };
  const debug: string[] = [];
  const logger = { warn: write, info: write, error: write, debug: (_: object, line: string) => debug.push(line) };
  let now = 0;
  const timers = new Set<{ at: number; callback: () => void }>();
  const troubles = createTroubleLog(logger as never, {
    monotonic: () => now,
    after: (milliseconds, callback) => {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer);
      timer.callback();
    }
  };
  return { troubles, lines, fields, debug, pass, logger };
};

const OVER = 'The failed operations work again.';
const begun = (what: string): string => `${what} Retrying; further failures for this reason are not logged.`;

test('a trouble is logged once with its cause when it begins, and once when it is over', () => {
  const { troubles, lines, fields, pass } = opened();
  const error = new CoordinationUnavailable("MongoDB can't be used: it did not answer in time.");
  for (let seconds = 0; seconds <= 60; seconds++) {
    troubles.report("Checks can't be scheduled.", error);
    troubles.report('The read models do not answer.', new ReadStoreUnavailable('connection 7 timed out'));
    pass(1_000);
  }
  assert.equal(lines, [begun("Checks can't be scheduled.")]);
  assert.is(fields[0]?.['err'], error);
  pass(10_000);
  assert.equal(lines, [begun("Checks can't be scheduled."), OVER]);
  assert.equal(fields[1], { reason: 'connection 7 timed out', seconds: 60, times: 122 });
});

test('a late read model is logged as part of the failure of its store, even before the store is known to be unavailable', () => {
  const { troubles, lines, pass } = opened();
  troubles.report('A mail is not sent.', new ReadModelLate('delivery'));
  pass(1_000);
  troubles.report('The reactor is not led.', new CoordinationUnavailable('MongoDB does not answer.'));
  pass(10_000);
  assert.equal(lines, [begun('A mail is not sent.'), OVER]);
});

test('a trouble is logged again when it recurs', () => {
  const { troubles, lines, pass } = opened();
  for (let times = 0; times < 2; times++) {
    troubles.report('One.', new StoreUnavailable('gone'));
    troubles.report('One.', new StoreUnavailable('gone'));
    pass(10_000);
  }
  assert.equal(lines, [begun('One.'), OVER, begun('One.'), OVER]);
});

test('troubles with different causes are logged separately', () => {
  const { troubles, lines } = opened();
  troubles.report('One.', new StoreUnavailable('EventStoreDB is not available.'));
  troubles.report('Two.', new CoordinationUnavailable('MongoDB is not available.'));
  troubles.report('Three.', new Error('a defect'));
  troubles.report('Four.', new Error('a defect'));
  assert.equal(lines, ['One.', 'Two.', 'Three.'].map(begun));
});

test('an attempt that fails because a read model is being built is not logged as a failure', () => {
  const { troubles, lines, debug } = opened();
  troubles.report('One.', new ReadModelUnavailable('pages'));
  assert.equal([lines, debug], [[], ['One.']]);
});

test('a failure of the projection engine is logged like any other failure, and other log lines of the engine are written unchanged', () => {
  const { troubles, lines, logger } = opened();
  const log = engineLog(logger as never, troubles);
  const cause = { name: 'ReadStoreUnavailable', message: 'gone' };
  for (const message of ['pages', 'incidents']) log({ level: 'error', message, fields: {}, cause });
  log({ level: 'info', message: 'pages is built.', fields: {} });
  assert.equal(lines, [begun('pages'), 'pages is built.']);
});

test.run();

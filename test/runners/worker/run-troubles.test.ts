import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRunTroubles } from '../../../runners/worker/run-troubles.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { fakeClock } from '../../network/fake-clock.ts';

const telling = suite('logging runs that could not be executed');

interface Line {
  msg: string;
  reason?: string;
  runs?: number;
  err?: { message: string };
}

const stage = () => {
  const lines: Line[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Line) });
  const clock = fakeClock(0);
  const troubles = createRunTroubles(logger, clock);
  const tell = (error: unknown): void => {
    troubles.report({ run_id: 'run', region: 'RU, Moscow' }, error);
  };
  return { lines, clock, troubles, tell };
};

telling(
  'failed runs are logged when a reason first occurs, and their number is logged when that reason no longer occurs',
  async () => {
    const { lines, clock, tell } = stage();
    for (let run = 0; run < 1_000; run++) {
      tell(new LocalFailure('No probe process can be started.'));
      if (run % 100 === 0) await clock.advance(50_000);
    }
    assert.equal(
      lines.map(({ reason, runs }) => [reason, runs]),
      [['No probe process can be started.', undefined]],
    );
    await clock.advance(60_000);
    assert.is(lines.length, 2);
    assert.is(lines[1]?.runs, 1_000);
    tell(new LocalFailure('No probe process can be started.'));
    assert.is(lines.length, 3);
  },
);

telling('failed runs are logged by reason, up to a limit of reasons', () => {
  const { lines, tell } = stage();
  for (let reason = 0; reason < 1_000; reason++) tell(new LocalFailure(`Reason ${reason}.`));
  assert.is(lines.length, 51);
});

telling('failed runs are logged with the cause of a local failure, and with the stack of any other error', async () => {
  const { lines, clock, tell } = stage();
  tell(new LocalFailure('The connection broke.', { cause: new Error('EMFILE') }));
  tell(new Error('The log is full.'));
  assert.equal(
    lines.map(({ err }) => err?.message),
    ['EMFILE', 'The log is full.'],
  );
  await clock.advance(120_000);
  assert.is(lines.length, 2);
});

telling('no timer is left after the log of failed runs has stopped', () => {
  const { clock, troubles, tell } = stage();
  tell(new Error('The log is full.'));
  troubles.stop();
  assert.is(clock.pending(), 0);
});

telling.run();

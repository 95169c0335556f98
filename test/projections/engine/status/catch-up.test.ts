import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectionPart } from '../../../../http/health.ts';
import type { LogEnds } from '../../../../projections/engine/status/catch-up.ts';
import type { ProjectionState, ProjectionStatus } from '../../../../projections/engine/status/protocol.ts';
import { createStatuses } from '../../../../projections/engine/status/statuses.ts';
import { StoreUnavailable } from '../../../../stores/event-store/port.ts';
import { eventually } from '../../../waiting.ts';
import { counters } from '../samples.ts';

const test = suite('catching up with the log');

const status = (state: ProjectionState, position: bigint, generation: number | null = 1): ProjectionStatus => ({
  name: 'counters',
  version: 1,
  log: 'main',
  generation,
  position,
  oldest: null,
  state,
  error: null,
});

/** Creates statuses of a read model. The test sets the end of the log. */
const follow = (marks: LogEnds['marks'] = null) => {
  const log = { end: 20n, down: false, asked: [] as bigint[] };
  const after: LogEnds['after'] = async function* (_, position) {
    log.asked.push(position);
    if (log.down) throw new StoreUnavailable('The log does not answer.');
    yield [
      { type: 'LogMarked', position: log.end - 1n },
      { type: 'LogMarked', position: log.end },
      // The counters do not fold this event.
      { type: 'PageUpdated', position: log.end + 100n },
    ];
  };
  const statuses = createStatuses([counters], undefined, { marks, after });
  const isCurrent = (): boolean => statuses.isCurrent('counters');
  const say = (...all: ProjectionStatus[]): void => {
    statuses.receive(all);
  };
  return { log, statuses, isCurrent, say };
};

/** Creates statuses of a read model that has caught up. */
const followed = async () => {
  const all = follow();
  all.say(status('live', 20n));
  await eventually(all.isCurrent);
  return all;
};

test('a read model has caught up when it has passed the mark that was appended at the start, without a read of the log', () => {
  const { say, isCurrent, log } = follow({ main: 20n, results: 7n });
  assert.not(isCurrent());
  say(status('catching_up', 19n));
  assert.not(isCurrent());
  say(status('live', 20n));
  assert.ok(isCurrent());
  say(status('live', 21n), status('catching_up', 22n), status('live', 23n));
  assert.ok(isCurrent());
  assert.equal(log.asked, []);
});

test('after its first build, a read model has caught up when it has reached the end that the log had after the build', async () => {
  const { say, isCurrent, log } = follow({ main: 7n, results: 7n });
  say(status('building', 12n, null));
  assert.not(isCurrent(), 'nothing can be read yet');
  say(status('live', 12n));
  await eventually(() => log.asked.length === 1);
  assert.not(isCurrent());
  say(status('live', 20n));
  await eventually(isCurrent);
});

test('without a mark from the start, a read model has caught up at the end of its log, which is searched for from the read model’s position', async () => {
  const { say, isCurrent, log } = follow();
  say(status('live', 12n));
  assert.not(isCurrent());
  await eventually(() => log.asked.length === 1);
  say(status('live', 19n));
  assert.not(isCurrent());
  say(status('live', 20n));
  await eventually(isCurrent);
  assert.equal(log.asked, [12n]);
});

for (const [what, ...changes] of [
  ['another generation is used', status('live', 22n, 2)],
  ['it went backwards', status('live', 19n)],
  ['its store did not answer', status('failing', 20n), status('live', 20n)],
  ['it was built anew', status('building', 0n, null), status('live', 21n, 2)],
] as const) {
  test(`a read model must catch up again when ${what}`, async () => {
    const { say, isCurrent, log } = await followed();
    log.end = 30n;
    say(...changes);
    assert.not(isCurrent());
    const generation = changes.at(-1)?.generation ?? null;
    say(status('live', 29n, generation));
    await eventually(() => log.asked.length === 2);
    assert.not(isCurrent());
    say(status('live', 30n, generation));
    await eventually(isCurrent);
  });
}

test('a read model still counts as caught up while a store is unavailable, because nothing can be appended meanwhile', async () => {
  const { say, isCurrent } = await followed();
  say(status('failing', 20n));
  assert.ok(isCurrent());
});

test('a read model that has stopped at an event counts as caught up', async () => {
  const { say, statuses, isCurrent } = follow();
  const waiting = statuses.waitUntilCurrent('counters', 60_000);
  say(status('stopped', 12n));
  assert.ok(isCurrent());
  assert.ok(await waiting);
  say(status('live', 12n, 2));
  assert.not(isCurrent());
});

test('a read model catches up although the end of the log was not found at first', async () => {
  const { say, statuses, log } = follow();
  log.down = true;
  say(status('live', 20n));
  assert.not(await statuses.waitUntilCurrent('counters', 1));
  log.down = false;
  assert.ok(await statuses.waitUntilCurrent('counters', 60_000));
});

test('a wait for catching up ends when the read model has caught up, or after its time limit', async () => {
  const { say, statuses } = follow();
  say(status('live', 12n));
  assert.not(await statuses.waitUntilCurrent('counters', 1));
  const waiting = statuses.waitUntilCurrent('counters', 60_000);
  say(status('live', 20n));
  assert.ok(await waiting);
});

test('`/health/ready` names a read model until it has caught up', () => {
  const ready = projectionPart(status('live', 20n), 0, true);
  assert.ok(ready.ready);
  const { name, ready: isReady, state, message } = projectionPart(status('live', 19n), 0, false);
  assert.equal([name, isReady, state], ['projection counters', false, 'catching_up']);
  assert.match(message ?? '', 'catching up');
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LogListener, LogWatch } from '../../../stores/event-store/port.ts';
import { createTodoProjection } from '../../../reactors/engine/todo-projection.ts';
import { FOLLOWED_PROJECTIONS, watchedCategories } from '../../../reactors/index.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { ProjectionStatus } from '../../../projections/engine/status/protocol.ts';
import type { WriteReport } from '../../../projections/engine/status/write-reports.ts';
import { createStatuses } from '../../../projections/engine/status/statuses.ts';
import { jobs } from '../../../projections/jobs/projection.ts';
import { ReadModelLate } from '../../../projections/readers.ts';
import { eventually, realPause } from '../../waiting.ts';
import { reactorsOf } from '../context.ts';

const test = suite('the to-do list of a reactor');

const LIVE: ProjectionStatus = {
  name: jobs.name,
  version: jobs.version,
  log: 'main',
  generation: 1,
  position: 9n,
  oldest: null,
  state: 'live',
  error: null,
};

/** Creates a to-do list. The test sets the position of its projection, and reports appends to its log. */
const open = (timings = { patience: 5, spacing: 1, pause: 4 }) => {
  const statuses = createStatuses([jobs]);
  const receive = (status: Partial<ProjectionStatus>, collections?: WriteReport['collections']): void => {
    const now = { ...LIVE, ...status };
    statuses.receive([now], collections && [{ projection: now.name, position: now.position, collections }]);
  };
  receive({});
  const polls: bigint[] = [];
  const listeners = new Set<LogListener>();
  const log: LogWatch = {
    listen: (listener) => {
      listeners.add(listener);
      return async () => void listeners.delete(listener);
    },
  };
  const passed: typeof statuses.passed = (name, position, milliseconds) => {
    polls.push(position);
    return statuses.passed(name, position, milliseconds);
  };
  const seen = { ...statuses, passed };
  const todo = createTodoProjection(jobs, ['open_jobs'], { statuses: seen, appended: log, timings });
  const append = (position: bigint, type = 'JobQueued'): void => {
    for (const listener of listeners) listener([{ type, position } as RecordedEvent]);
  };
  return { statuses: seen, todo, receive, append, polls, listeners };
};

test('a to-do list has a position while it is at the head of its log', () => {
  const { todo, receive } = open();
  assert.is(todo.position(), 9);
  receive({ position: 10n, state: 'catching_up' });
  assert.is(todo.position(), null);
  assert.is(todo.folded(), 10);
});

/** Creates a to-do list and records its reports: `true` if everything may have changed, otherwise `false`. */
const watched = () => {
  const opened = open();
  const reports: boolean[] = [];
  const end = opened.todo.watch((everything) => reports.push(everything));
  return { ...opened, reports, end };
};

test('a to-do list reports writes of its own collection, but neither new positions nor writes of other collections', () => {
  const { todo, receive, reports, end } = watched();
  receive({ position: 10n });
  receive({ position: 11n }, new Map([['jobs', ['job000000001']]]));
  assert.equal(reports, []);
  let folded = 0;
  const also = todo.watch(() => {
    folded = todo.folded();
  });
  receive({ position: 12n }, new Map([['open_jobs', ['job000000001']]]));
  receive({ position: 13n }, new Map([['open_jobs', 'many']]));
  assert.equal(reports, [false, false]);
  assert.is(folded, 13);
  end();
  also();
  receive({ position: 14n }, new Map([['open_jobs', 'many']]));
  assert.equal(reports, [false, false]);
});

test('a to-do list reports that everything may have changed after a gap, a switch of generations, or a start', () => {
  const { receive, reports, end } = watched();
  receive({ position: 10n }, 'unknown');
  receive({ position: 10n, generation: 2 });
  receive({ position: 10n, generation: 2, state: 'catching_up' });
  receive({ position: 20n, generation: 2 });
  assert.equal(reports, [true, true, true, true]);
  end();
});

test('a to-do list calls each registered callback once when the list has passed the requested position', () => {
  const { todo, receive } = open();
  let passed = 0;
  todo.passed(12, () => passed++);
  const end = todo.passed(12, () => passed++);
  receive({ position: 11n });
  assert.is(passed, 0);
  end();
  receive({ position: 12n });
  receive({ position: 13n });
  assert.is(passed, 1);
});

test('a to-do list is polled immediately when an event that it folds is appended', async () => {
  const { todo, receive, append, polls, listeners } = open();
  const end = todo.watch(() => undefined);
  append(12n);
  assert.equal(polls, [12n]);
  receive({ position: 12n });
  await realPause(10, 'twice the pause between two polls');
  assert.equal(polls, [12n]);
  end();
  assert.is(listeners.size, 0);
});

test('a to-do list is not polled when an event that it does not fold is appended', () => {
  const { todo, append, polls } = open();
  const end = todo.watch(() => undefined);
  append(12n, 'CheckCreated');
  assert.equal(polls, []);
  end();
});

test('a to-do list is polled for an event that is appended just after the previous poll', async () => {
  const { statuses, todo, receive, append, polls } = open();
  const end = todo.watch(() => undefined);
  append(12n);
  receive({ position: 12n });
  const { of } = statuses;
  let last = true;
  statuses.of = (name) => {
    if (last) queueMicrotask(append.bind(null, 13n));
    last = false;
    return of(name);
  };
  await eventually(() => polls.includes(13n));
  end();
});

test('a to-do list is polled once for several events at the same moment, for the newest position', async () => {
  const { todo, receive, append, polls } = open({ patience: 1_000, spacing: 20, pause: 20 });
  const end = todo.watch(() => undefined);
  for (let position = 12n; position < 40n; position++) append(position);
  receive({ position: 12n });
  assert.equal(polls, [12n]);
  await eventually(() => polls.length === 2);
  assert.equal(polls, [12n, 39n]);
  receive({ position: 39n });
  end();
});

test('a to-do list that does not reach the end of its log is polled at increasing intervals', async () => {
  const { todo, append, polls } = open({ patience: 1, spacing: 1, pause: 1_000_000 });
  const end = todo.watch(() => undefined);
  const began = performance.now();
  append(12n);
  await eventually(() => polls.length >= 7);
  // The pauses are 1, 2, 4, … milliseconds.
  assert.ok(performance.now() - began > 40);
  end();
});

test('a failed poll of a to-do list does not stop the polling', async () => {
  const statuses = createStatuses([jobs]);
  statuses.receive([LIVE]);
  const polls: bigint[] = [];
  let tell: LogListener = () => undefined;
  const listen: LogWatch['listen'] = (listener) => {
    tell = listener;
    return async () => undefined;
  };
  const passed = async (_: string, position: bigint): Promise<ProjectionStatus> => {
    polls.push(position);
    if (polls.length < 3) throw new ReadModelLate(jobs.name);
    return { ...LIVE, position };
  };
  const todo = createTodoProjection(jobs, [], {
    statuses: { ...statuses, passed },
    appended: { listen },
    timings: { patience: 1, spacing: 1, pause: 1 },
  });
  const end = todo.watch(() => undefined);
  tell([{ type: 'JobQueued', position: 12n } as RecordedEvent]);
  await eventually(() => polls.length >= 3);
  end();
});

test('the to-do list of every reactor belongs to a log that is watched', () => {
  const watched: string[] = [];
  const statuses = createStatuses(FOLLOWED_PROJECTIONS);
  const listens = (name: string): LogWatch => ({
    listen: () => {
      watched.push(name);
      return async () => undefined;
    },
  });
  const reactors = reactorsOf({
    statuses,
    logWatches: { main: listens('main'), results: listens('results') },
    results: { name: 'results' },
    readers: { for: () => () => ({}), sure: () => ({}) },
  } as never);
  for (const { name, todo } of reactors) {
    const before = watched.length;
    todo.watch(() => undefined)();
    assert.ok(watched.length > before, name);
  }
  assert.equal([...new Set(watched)].sort(), ['main', 'results']);
  const categories = ['page', 'incident', 'subscriber', 'email_domain', 'check', 'check_group', 'alert_rule', 'alert'];
  for (const category of [...categories, 'alert_channel', 'heartbeat', 'report', 'job'])
    assert.ok(watchedCategories('main').includes(category), category);
  assert.not(watchedCategories('main').includes('reservation'));
  assert.equal(watchedCategories('results'), ['check_results', 'execution_groups', 'deliveries', 'heartbeat_pings']);
});

test.run();

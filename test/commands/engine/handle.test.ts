import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { highestPosition } from '../../../commands/engine/appended-positions.ts';
import { commandContext, derivedUuid, stepContext, type CommandContext } from '../../../commands/engine/context.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import type { Decider } from '../../../domain/decider.ts';
import { Conflict, IllegalState, NotFound, TooMany } from '../../../domain/errors.ts';
import type { LogEvent } from '../../../domain/log/events.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { StoreUnavailable, type EventStore } from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';
import { eventually } from '../../waiting.ts';

type Marks = readonly string[];
type Marked = Extract<LogEvent, { type: 'LogMarked' }>;

const marks: Decider<Marks, Marked> = {
  category: 'log',
  initialState: [],
  evolve: (state, event) => [...state, event.data.mark],
};
type Opened = Extract<LogEvent, { type: 'LogOpened' }>;

const openings: Decider<null, Opened> = {
  category: 'openings',
  initialState: null,
  evolve: () => null,
};
const opened = (id: string) => (): Opened => ({ type: 'LogOpened', data: { log: 'main', log_id: id } });
const mark = (name: string) => (): Marked => ({ type: 'LogMarked', data: { mark: name } });

let commandNumber = 0;
const context = (given: Partial<CommandContext> = {}): CommandContext =>
  commandContext({
    actor: { kind: 'user', id: 'user00000001', role: 'admin' },
    organizationId: 'organization',
    correlationId: 'correlation',
    commandId: derivedUuid(`command ${commandNumber++}`),
    repeatable: false,
    now: '2026-11-20T15:04:05.123000',
    ...given,
  });

const open = (store: EventStore = createMemoryEventStore('main')) => ({
  store,
  handle: createHandle({ store, clock: () => Date.UTC(2026, 10, 20), pause: async () => undefined }),
});

/** Creates a store that delays appends until they are released. `appends` contains the appends that have begun. */
const holding = () => {
  const store = createMemoryEventStore('main');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const appends: string[] = [];
  const delayed: EventStore = {
    ...store,
    name: store.name,
    append: async (stream, events, expected) => {
      appends.push(stream);
      await released;
      return store.append(stream, events, expected);
    },
    readStream: (stream, options) => store.readStream(stream, options),
  };
  return { store: delayed, appends, release };
};

/** Creates the deadline of a request, which the test can let pass. */
const deadline = () => {
  const state = { over: false };
  return {
    state,
    checkDeadline: () => {
      if (state.over) throw new Error('overdue');
    },
  };
};

/**
 * Wraps a store so that its appends end with an unknown outcome, either after storing (`stored`) or without storing
 * (`lost`).
 */
const failing = (store: EventStore, fails: ('stored' | 'lost')[]): EventStore => ({
  ...store,
  name: store.name,
  append: async (stream, events, expected) => {
    const failure = fails.shift();
    if (failure !== 'lost') {
      const appended = await store.append(stream, events, expected);
      if (failure !== 'stored') return appended;
    }
    throw new StoreUnavailable('The connection was lost.');
  },
  readStream: (stream, options) => store.readStream(stream, options),
});

const test = suite('a command');

test('a command appends its events with author, time and cause', async () => {
  const { store, handle } = open();
  const { state } = await handle('a', marks, mark('one'), context({ commandId: 'the-command' }));
  assert.equal(state, ['one']);
  const [event] = await store.readStream('log-a');
  assert.equal(event?.revision, 0n);
  assert.equal(event?.metadata, {
    $correlationId: 'correlation',
    $causationId: 'the-command',
    command_id: 'the-command',
    actor: { kind: 'user', id: 'user00000001', role: 'admin' },
    organization_id: 'organization',
    recorded_at: '2026-11-20T00:00:00.000000',
    schema_version: 1,
  });
});

test('a command does not read a stream whose ID it has generated, but detects that the stream exists', async () => {
  const { store, handle } = open();
  let reads = 0;
  const counting: EventStore = {
    ...store,
    readStream: (stream, options) => {
      reads += 1;
      return store.readStream(stream, options);
    },
  };
  const watched = open(counting).handle;
  const request = context();
  await watched(request.newId(), marks, mark('one'), request);
  assert.is(reads, 0);
  const taken = request.newId();
  await handle(taken, marks, mark('before'), context());
  const { state } = await watched(taken, marks, mark('after'), request);
  assert.equal(state, ['before', 'after']);
  const repeated = context({ repeatable: true });
  reads = 0;
  await watched(repeated.newId(), marks, mark('two'), repeated);
  assert.is(reads, 1);
});

test('concurrent commands share one read of a stream, and later commands read the stream again', async () => {
  const store = createMemoryEventStore('main');
  let reads = 0;
  const readStream: EventStore['readStream'] = (...parameters) => {
    reads++;
    return store.readStream(...parameters);
  };
  const { handle } = open({ ...store, name: store.name, readStream });
  await open(store).handle('a', marks, mark('one'), context());
  const load = () => handle.load('a', marks, context());
  const first = load();
  // The read has begun, so it might not include later events.
  await eventually(() => reads > 0);
  await open(store).handle('a', marks, mark('two'), context());
  const later = await Promise.all(Array.from({ length: 20 }, load));
  await first;
  for (const state of later) assert.equal(state, ['one', 'two']);
  assert.is(reads, 2);
  await load();
  assert.is(reads, 3);
});

test('all commands that share a failed read of a stream fail, and the next command reads again', async () => {
  const store = createMemoryEventStore('main');
  let broken = true;
  const readStream: EventStore['readStream'] = async (...parameters) => {
    if (broken) throw new StoreUnavailable('gone');
    return store.readStream(...parameters);
  };
  const { handle } = open({ ...store, name: store.name, readStream });
  await open(store).handle('a', marks, mark('one'), context());
  const load = () => handle.load('a', marks, context());
  await Promise.all([rejects(load(), StoreUnavailable), rejects(load(), StoreUnavailable)]);
  broken = false;
  assert.equal(await load(), ['one']);
});

test('a command reports the highest appended position of each event type by log', async () => {
  const { store, handle } = open();
  const request = context();
  await handle('a', marks, () => [mark('one')(), mark('two')()], request);
  await handle('b', marks, mark('three'), request);
  await handle('c', openings, opened('one'), stepContext(request, 'open'));
  const [[marked], [last]] = [await store.readStream('log-b'), await store.readStream('openings-c')];
  assert.equal(
    request.appended,
    new Map([
      [
        'main',
        new Map([
          ['LogMarked', marked?.position],
          ['LogOpened', last?.position],
        ]),
      ],
    ]),
  );
  assert.is(highestPosition(request.appended, 'main'), last?.position);
  assert.is(highestPosition(request.appended, 'results'), 0n);
});

test('a command decides on the folded stream including events of other processes', async () => {
  const { store, handle } = open();
  await handle('a', marks, mark('one'), context());
  await open(store).handle('a', marks, mark('two'), context());
  const { state } = await handle('a', marks, (state) => mark(`after ${state.join(' and ')}`)(), context());
  assert.equal(state, ['one', 'two', 'after one and two']);
});

test('a command decides on the current state, including events of other processes, whether it is refused or has no effect', async () => {
  const { store, handle } = open();
  const other = open(store).handle;
  const unlessMarked = (name: string) => (state: Marks) => {
    if (state.includes('two')) return mark(name)();
    throw new IllegalState('Two comes first.');
  };
  await handle('a', marks, mark('one'), context());
  await rejects(handle('a', marks, unlessMarked('three'), context()), IllegalState);
  await other('a', marks, mark('two'), context());
  await handle('a', marks, unlessMarked('three'), context());
  await other('a', marks, mark('four'), context());
  const { state } = await handle('a', marks, (seen) => (seen.includes('four') ? mark('five')() : []), context());
  assert.equal(state, ['one', 'two', 'three', 'four', 'five']);
});

test('a command without events appends nothing', async () => {
  const { store, handle } = open();
  const outcome = await handle('a', marks, () => [], context());
  assert.equal(outcome, { state: [], events: [], repeated: false });
  assert.equal(await store.readStream('log-a'), []);
});

test('a stream of another organization is reported as not found before the command decides anything', async () => {
  const { handle } = open();
  await handle('a', marks, mark('one'), context());
  const stranger = context({ organizationId: 'another' });
  let decided = false;
  const attempt = handle('a', marks, () => ((decided = true), []), stranger);
  await rejects(attempt, NotFound);
  await rejects(handle.load('a', marks, stranger), NotFound);
  assert.not(decided);
});

test('a command can use a stream that organizations share only if the command declares that', async () => {
  const { handle } = open();
  await handle('a', marks, mark('one'), context(), { shared: true });
  const { state } = await handle('a', marks, mark('two'), context({ organizationId: 'another' }), { shared: true });
  assert.equal(state, ['one', 'two']);
});

test('commands on the same stream run one after another, also after a failed command', async () => {
  const { handle } = open();
  const refused = handle(
    'a',
    marks,
    () => {
      throw new IllegalState('No.');
    },
    context(),
  );
  const rest = Array.from({ length: 20 }, (_, i) => handle('a', marks, mark(String(i)), context()));
  await rejects(refused, IllegalState, 'No.');
  await Promise.all(rest);
  assert.equal(
    await handle.load('a', marks, context()),
    Array.from({ length: 20 }, (_, i) => String(i)),
  );
});

test('a command that conflicts with other processes fails with a conflict after three retries', async () => {
  const memory = createMemoryEventStore('main');
  const other = open(memory).handle;
  let rivals = 0;
  const { handle } = open(memory);
  const attempt = handle(
    'a',
    marks,
    async () => {
      await other('a', marks, mark(`rival ${rivals++}`), context());
      return mark('mine')();
    },
    context(),
  );
  await rejects(attempt, Conflict);
  assert.is(rivals, 4);
});

test('a repeated command reports the position of its first execution', async () => {
  const { store, handle } = open();
  const again = () => context({ commandId: 'again', repeatable: true });
  await handle('a', marks, mark('one'), again());
  const [event] = await store.readStream('log-a');
  for (const process of [handle, open(store).handle]) {
    const request = again();
    await process('a', marks, mark('never'), request);
    assert.equal(request.appended, new Map([['main', new Map([['LogMarked', event?.position]])]]));
  }
});

test('a repeated command appends nothing and returns the first outcome', async () => {
  const { store, handle } = open();
  const again = () => context({ commandId: 'again', repeatable: true });
  const first = await handle('a', marks, mark('one'), again());
  await handle('a', marks, mark('two'), context());
  const second = await handle('a', marks, mark('never'), again());
  const afterRestart = await open(store).handle('a', marks, mark('never'), again());
  for (const outcome of [second, afterRestart]) {
    assert.ok(outcome.repeated);
    assert.equal(outcome.state, ['one', 'two']);
    assert.equal(
      outcome.events.map((event) => event.id),
      first.events.map((event) => event.id),
    );
  }
});

test('a command whose append lost its response is recognized by its event IDs, and appended again if it was not stored', async () => {
  for (const failure of ['stored', 'lost'] as const) {
    const memory = createMemoryEventStore('main');
    const { handle } = open(failing(memory, [failure]));
    const { state } = await handle('a', marks, mark('one'), context());
    assert.equal(state, ['one']);
    assert.is((await memory.readStream('log-a')).length, 1);
  }
});

test('a command fails while the store is unavailable, and the next command sees all stored events', async () => {
  const memory = createMemoryEventStore('main');
  const { handle } = open(failing(memory, ['stored', 'lost', 'lost']));
  await rejects(handle('a', marks, mark('one'), context()), StoreUnavailable);
  const { state } = await handle('a', marks, mark('two'), context());
  assert.equal(state, ['one', 'two']);
});

test('a repeated command generates the same IDs, and each step of a command generates different IDs', () => {
  const ids = (from: CommandContext): string[] => [from.newId(), from.newId()];
  const [first, second] = [context({ commandId: 'x' }), context({ commandId: 'x' })].map(ids);
  assert.equal(first, second);
  assert.is(new Set(first).size, 2);
  for (const id of first ?? []) assert.match(id, /^[a-z0-9]{12}$/);
  const stepped = ids(stepContext(context({ commandId: 'x' }), 'rename'));
  assert.not.equal(stepped, first);
  assert.equal(stepped, ids(stepContext(context({ commandId: 'x' }), 'rename')));
});

test('a queued command does not run after its caller has received a response', async () => {
  const { store, appends, release } = holding();
  const { handle } = open(store);
  const { state, checkDeadline } = deadline();
  const pending = Array.from({ length: 20 }, (_, index) =>
    handle('a', marks, mark(`mark ${index}`), context({ checkDeadline })),
  );
  const outcomes = Promise.allSettled(pending);
  await eventually(() => appends.length === 1);
  state.over = true;
  release();
  assert.equal(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', ...Array.from({ length: 19 }, () => 'rejected')],
  );
  assert.equal((await store.readStream('log-a')).length, 1);
  assert.is(appends.length, 1);
});

test('a command appends nothing if its caller has received a response while the command was deciding', async () => {
  const { store, handle } = open();
  const { state, checkDeadline } = deadline();
  const deciding = handle(
    'a',
    marks,
    async () => {
      state.over = true;
      return mark('late')();
    },
    context({ checkDeadline }),
  );
  await rejects(deciding, Error, 'overdue');
  assert.equal(await store.readStream('log-a'), []);
});

test('a request that has appended an event runs to its end, however long it takes', async () => {
  const { store, handle } = open();
  const { state, checkDeadline } = deadline();
  const request = context({ checkDeadline });
  await handle('a', marks, mark('first'), request);
  state.over = true;
  await handle('b', marks, mark('second'), stepContext(request, 'second'));
  assert.equal((await store.readStream('log-b')).length, 1);
});

test('a request is refused when too many requests are queued for its stream or organization, but requests for other streams and organizations are accepted', async () => {
  const { store, appends, release } = holding();
  const handle = createHandle({
    store,
    clock: () => Date.UTC(2026, 10, 20),
    queueLimits: { stream: 2, organization: 3 },
  });
  const { checkDeadline } = deadline();
  const ask = (id: string, organizationId = 'organization') =>
    handle(id, marks, mark('one'), context({ checkDeadline, organizationId }));
  const waiting = [ask('a'), ask('a')];
  await rejects(ask('a'), TooMany, 'Too many changes of this resource are queued. Please slow down.');
  waiting.push(ask('b'));
  await rejects(ask('c'), TooMany, 'Too many changes of this organization are queued. Please slow down.');
  waiting.push(ask('c', 'another organization'));
  // The number of waiting commands of the service itself is not limited.
  waiting.push(handle('a', marks, mark('own'), context()));
  await eventually(() => appends.length === 3);
  release();
  await Promise.all(waiting);
  await ask('a');
});

test.run();

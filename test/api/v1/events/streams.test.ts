import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StreamCaller } from '../../../../api/v1/events/stream-members.ts';
import { createEventStreams, type EventStreamsDependencies } from '../../../../api/v1/events/streams.ts';
import { systemEvent } from '../../../../domain/system-event.ts';
import type { Instant } from '../../../../domain/time.ts';
import type { Caller } from '../../../../http/routes/caller.ts';
import { createMemoryEventStore } from '../../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../../stores/event-store/port.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('event streams in a process');

const NOW = '2026-11-20T15:00:00' as Instant;
const TIMINGS = { gather: 5, gap: 20, retry: 5, beat: 60_000 };

/** A response that records what a stream writes. */
class Sink extends EventEmitter {
  destroyed = false;
  writableEnded = false;
  writableLength = 0;
  readonly chunks: unknown[] = [];
  write(chunk: unknown): boolean {
    this.chunks.push(chunk);
    return true;
  }
  end(): void {
    if (this.writableEnded) return;
    this.writableEnded = true;
    this.emit('close');
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
  get text(): string {
    return this.chunks.map(String).join('');
  }
  /** The data of all events with a name. */
  data<T>(event: string): T[] {
    return this.text
      .split('\n\n')
      .filter((one) => one.startsWith(`event: ${event}\n`))
      .map((one) => JSON.parse(one.slice(one.indexOf('data: ') + 6)) as T);
  }
  get changed(): string[] {
    return this.data<{ changes: { id: string }[] }>('change').flatMap(({ changes }) => changes.map(({ id }) => id));
  }
  get lastId(): string {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';
  }
}

const callerOf = (organizationId: string, keyId: string, role = 'viewer'): Caller => ({
  actor: { kind: 'api_key', id: keyId, role },
  organizationId,
  limitKey: keyId,
  userId: null,
  sessionId: null,
  keyId,
});

const stage = (changed: (log: EventStore) => Partial<EventStreamsDependencies> = () => ({})) => {
  const log = createMemoryEventStore('main');
  let position = 0n;
  const following = new Set<AbortSignal>();
  const callers = new Map<string, Caller>();
  const rows = { reads: 0, failures: 0 };
  const main = {
    readAll: (options: Parameters<EventStore['readAll']>[0]) => log.readAll(options),
    subscribe: (options: Parameters<EventStore['subscribe']>[0]) => {
      following.add(options.signal);
      return log.subscribe(options);
    },
  };
  const getMany = async (ids: readonly string[]): Promise<object[]> => {
    rows.reads += 1;
    if (rows.failures > 0) {
      rows.failures -= 1;
      throw new Error('late');
    }
    return ids.map((id) => ({ id, name: `name of ${id}`, organization_id: 'acme', group_id: null, active: true }));
  };
  const nothing = { find: async () => [], pick: async () => [], getMany: async () => [] };
  const models = { check_rows: { getMany }, check_groups: nothing, check_activity: nothing, check_sums: nothing };
  const warnings: unknown[] = [];
  const streams = createEventStreams({
    main,
    statuses: { all: () => [{ log: 'main', position }] } as never,
    readers: { for: () => () => models } as never,
    authenticate: async (credential) => callers.get(credential) ?? null,
    keys: { fingerprint: async (kind, text) => `${kind} ${text}` },
    addressOf: (path) => path,
    instant: () => NOW,
    resultsFrom: () => NOW,
    logger: { warn: (...logged: unknown[]) => warnings.push(logged) } as never,
    timings: TIMINGS,
    ...changed(log),
  });
  const open = (caller: Caller, since: string | null = null): Sink => {
    const credential = caller.limitKey;
    callers.set(credential, caller);
    const sink = new Sink();
    const listening: StreamCaller = { ...caller, credential, address: null };
    streams.open(listening, since).attach(sink as unknown as ServerResponse, undefined);
    return sink;
  };
  return {
    log,
    rows,
    warnings,
    callers,
    streams,
    open,
    /** Opens a stream and waits until it has started. */
    opened: async (caller: Caller, since: string | null = null): Promise<Sink> => {
      const sink = open(caller, since);
      await eventually(() => sink.text.includes('event: ready'));
      return sink;
    },
    /** returns the number of open subscriptions to the log */
    following: () => [...following].filter(({ aborted }) => !aborted).length,
    subscriptions: () => following.size,
    /** Appends changes of checks of an organization. */
    change: async (ids: readonly string[], organizationId = 'acme'): Promise<void> => {
      const events = ids.map((check_id) =>
        systemEvent(
          { type: 'CheckReleased', data: { check_id } },
          { id: randomUUID(), by: 'test', organizationId, now: NOW },
        ),
      );
      ({ position } = await log.append('check-many', events, 'any'));
    },
  };
};

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `check${index}`);

test('the log is followed only while event streams are open, by one subscription for all', async () => {
  const { opened, following, subscriptions, change } = stage();
  await change(['a']);
  assert.is(subscriptions(), 0);
  const sinks = [
    await opened(callerOf('acme', 'k1')),
    await opened(callerOf('acme', 'k2')),
    await opened(callerOf('globex', 'k3')),
  ];
  assert.is(following(), 1);
  sinks[0]?.end();
  sinks[1]?.destroy();
  assert.is(following(), 1);
  sinks[2]?.end();
  assert.is(following(), 0);
  const again = await opened(callerOf('acme', 'k1'));
  await change(['b']);
  await eventually(() => again.changed.includes('b'));
  assert.is(subscriptions(), 2);
});

test('a message contains each resource once and is encoded once for all callers with the same permissions', async () => {
  const { opened, change, rows } = stage();
  const [one, other, admin] = [
    await opened(callerOf('acme', 'k1')),
    await opened(callerOf('acme', 'k2', 'editor')),
    await opened(callerOf('acme', 'k3', 'admin')),
  ];
  await change([...many(300), ...many(300)]);
  await eventually(() => one.changed.length >= 300 && other.changed.length >= 300 && admin.changed.length >= 300);
  assert.is(new Set(one.changed).size, one.changed.length);
  // One read returns the rows of up to a hundred changes.
  assert.ok(rows.reads <= 3 * one.data('change').length);
  assert.is(one.chunks.at(-1), other.chunks.at(-1));
});

test('a message contains `reset` if very many resources of a kind have changed', async () => {
  const { opened, change } = stage();
  const sink = await opened(callerOf('acme', 'k1'));
  await change(many(501));
  await eventually(() => sink.data('reset').length > 0);
  assert.equal(sink.data('reset'), [{ resources: ['check'] }]);
  assert.equal(sink.changed, []);
  const back = await opened(callerOf('acme', 'k2'), sink.lastId);
  assert.equal([back.data('reset'), back.changed], [[], []]);
});

test('a failed read of rows is retried, and no change during the failure is lost', async () => {
  const { opened, change, rows, warnings } = stage();
  const sink = await opened(callerOf('acme', 'k1'));
  rows.failures = 2;
  await change(['a']);
  await eventually(() => rows.failures < 2);
  await change(['b']);
  await eventually(() => sink.changed.includes('b'));
  assert.equal(sink.changed, ['a', 'b']);
  assert.match(sink.text, 'name of a');
  assert.ok(warnings.length > 0);
});

test('changes are sent without rows if the read of rows fails repeatedly', async () => {
  const { opened, change, rows } = stage();
  const sink = await opened(callerOf('acme', 'k1'));
  rows.failures = Infinity;
  await change(['a']);
  await eventually(() => sink.changed.includes('a'));
  assert.not.match(sink.text, 'name of a');
  rows.failures = 0;
  await change(['b']);
  await eventually(() => sink.changed.includes('b'));
  assert.match(sink.text, 'name of b');
});

test('an event stream whose client does not read is closed', async () => {
  const { opened, change } = stage();
  const [slow, other] = [await opened(callerOf('acme', 'k1')), await opened(callerOf('acme', 'k2'))];
  slow.writableLength = 300_000;
  await change(['a']);
  await eventually(() => other.changed.includes('a'));
  assert.ok(slow.destroyed);
  assert.not.match(slow.text, 'event: change');
});

test('an event stream is closed at the next keep-alive if the caller lost access', async () => {
  const { opened, callers } = stage(() => ({ timings: { ...TIMINGS, beat: 20 } }));
  const [expired, demoted, other] = [
    await opened(callerOf('acme', 'k1')),
    await opened(callerOf('acme', 'k2', 'admin')),
    await opened(callerOf('acme', 'k3')),
  ];
  await eventually(() => other.data('beat').length > 0);
  callers.delete('k1');
  callers.set('k2', callerOf('acme', 'k2', 'viewer'));
  await eventually(() => expired.writableEnded && demoted.writableEnded);
  assert.not(other.writableEnded);
});

test('a caller who loses access while a stream starts gets nothing', async () => {
  const { open, callers, change } = stage();
  const sink = open(callerOf('acme', 'k1'));
  callers.delete('k1');
  await change(['a']);
  await eventually(() => sink.writableEnded);
  assert.match(sink.text, /^retry: \d+\n\n$/);
});

test('keep-alives advance the position beyond events of other organizations', async () => {
  const { opened, change } = stage(() => ({ timings: { ...TIMINGS, beat: 20 } }));
  const sink = await opened(callerOf('acme', 'k1'));
  const before = sink.lastId;
  await change(['theirs'], 'globex');
  await eventually(() => sink.lastId !== before && sink.data('beat').length > 0);
  assert.equal(sink.changed, []);
});

test('clients that reconnect from the same position share one read', async () => {
  const { opened, change, rows } = stage();
  const before = await opened(callerOf('acme', 'k0'));
  const { lastId } = before;
  before.end();
  await change(many(20));
  const sinks = await Promise.all(many(10).map((key) => opened(callerOf('acme', key), lastId)));
  for (const { changed } of sinks) assert.is(changed.length, 20);
  assert.is(rows.reads, 1);
});

test('all event streams end if the log cannot be followed, and clients may reconnect', async () => {
  const broken = { count: 0 };
  const { opened, open, change, subscriptions } = stage((log) => ({
    main: {
      readAll: (options) => log.readAll(options),
      subscribe: (options) => {
        if (broken.count++ === 0) throw new Error('unknown event');
        return log.subscribe(options);
      },
    },
  }));
  await change(['a']);
  const sink = open(callerOf('acme', 'k1'));
  await eventually(() => sink.writableEnded);
  const again = await opened(callerOf('acme', 'k1'));
  await change(['b']);
  await eventually(() => again.changed.includes('b'));
  assert.is(subscriptions(), 0);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpError } from '../../../http/errors.ts';
import { createHub, type DisconnectReason } from '../../../service/remote/hub.ts';
import type { Session } from '../../../service/remote/session.ts';
import { createTickets } from '../../../service/remote/tickets.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';
import { good, START } from '../../runners/worker/stage.ts';
import { hello, queued, readStream, RUNNER } from './stage.ts';

const test = suite('the connections of remote runners');

const CHECK = {
  type: 'web' as const,
  url: 'http://127.0.0.1:81/',
  host: null,
  port: null,
  timeout: 10,
  parameters: {},
  secrets: {},
};
const FROM = { address: '192.0.2.1', tokenHash: 'hash' };

const stage = (isOneOfSeveral = false) => {
  const clock = fakeClock(START);
  const working = new Set<Session>();
  const gone: DisconnectReason[] = [];
  const hub = createHub({
    tickets: createTickets(createMemoryKeys()),
    clock,
    isOneOfSeveral,
    work: (session) => {
      working.add(session);
      return async () => {
        working.delete(session);
      };
    },
    connected: () => undefined,
    disconnected: (_session, why) => gone.push(why),
  });
  const connect = (fields: Parameters<typeof hello>[0] = {}) => {
    const session = hub.connect(RUNNER, hello(fields), FROM);
    const stream = readStream();
    hub.stream(session, stream.response);
    return { session, ...stream };
  };
  return { clock, hub, working, gone, connect };
};

const begin = (session: Session, signal = new AbortController().signal) =>
  session.probes.run(CHECK, { signal, fresh: false, about: 'one', run: queued() });

/** Returns the delivery id of the first run in a stream. */
const deliveryIn = (orders: ReturnType<ReturnType<typeof readStream>['orders']>): string => {
  const [run] = orders.flatMap((order) => (order.kind === 'run' ? [order.run] : []));
  return run?.delivery ?? '';
};

test('the connection of a remote runner hands over runs, and accepts each result once', async () => {
  const { connect } = stage();
  const { session, orders } = connect();
  const outcome = begin(session);
  await settled();
  const delivery = deliveryIn(orders());
  assert.ok(session.has(delivery));
  await session.take(delivery, { outcome: good });
  assert.equal(await outcome, good);
  assert.is(session.take(delivery, { outcome: good }), null, 'the result is no longer awaited');
});

test('a remote runner gets the order to forget a check once, and only if it was assigned a run of that check', async () => {
  const { hub, connect } = stage();
  const { session, orders } = connect();
  const other = connect({ instance: 'other' });
  const outcome = begin(session);
  outcome.catch(() => undefined);
  await settled();
  const [given] = orders().flatMap((order) => (order.kind === 'run' ? [order.run.check_id] : []));
  hub.forget(given ?? '');
  hub.forget(given ?? '');
  hub.forget('check0000009');
  await settled();
  assert.equal(
    orders().filter(({ kind }) => kind === 'forget'),
    [{ kind: 'forget', check_id: given }],
  );
  assert.equal(other.orders(), []);
});

test('the connection of a remote runner takes runs only while it has a stream, and ends five seconds after its stream has broken', async () => {
  const { clock, hub, working, gone, connect } = stage();
  const quiet = hub.connect(RUNNER, hello({ instance: 'quiet' }), FROM);
  assert.is(working.size, 0, 'without a stream');
  await clock.advance(5_000);
  assert.is(hub.session(quiet.id, RUNNER.id), null, 'it never opened one');
  const { session, breakOff } = connect();
  assert.is(working.size, 1);
  breakOff();
  await settled();
  assert.is(hub.session(session.id, RUNNER.id), session, 'it may come back');
  await clock.advance(5_000);
  assert.equal([working.size, gone, hub.session(session.id, RUNNER.id)], [0, ['silent'], null]);
});

test('the connection of a remote runner sends runs again in a new stream if the runs may have been lost with the previous one', async () => {
  const { hub, connect } = stage();
  const { session, orders, breakOff } = connect();
  void begin(session).catch(() => undefined);
  await settled();
  const delivery = deliveryIn(orders());
  breakOff();
  await settled();
  const again = readStream();
  hub.stream(session, again.response);
  await settled();
  assert.is(deliveryIn(again.orders()), delivery);
});

test('the connection of a remote runner ends if its runner sends no reports, even if its stream seems to be open', async () => {
  const { clock, gone, working, connect } = stage();
  const { session } = connect();
  await clock.advance(6_000);
  session.noteReport();
  await clock.advance(6_000);
  assert.is(working.size, 1, 'it reported six seconds ago');
  await clock.advance(3_000);
  assert.equal([working.size, gone], [0, ['silent']]);
});

test('the connection of a remote runner ends when its token is revoked', async () => {
  const { hub, gone, connect } = stage();
  const { session, orders } = connect();
  await hub.checkTokens(async () => true);
  assert.is(hub.session(session.id, RUNNER.id), session);
  await hub.checkTokens(async () => false);
  await settled();
  assert.equal([gone, orders().at(-1)], [['revoked'], { kind: 'end', reason: 'revoked' }]);
});

test('a remote runner can connect only for the region of its token', () => {
  const { hub } = stage();
  const refused = (run: () => unknown): number => {
    try {
      run();
      return 200;
    } catch (error) {
      return error instanceof HttpError ? error.status : 500;
    }
  };
  assert.is(
    refused(() => hub.connect(RUNNER, hello({ region: 'in-mum1' }), FROM)),
    409,
  );
  assert.is(
    refused(() => hub.connect(RUNNER, hello({ region: 'eu-bel1', instance: 'alias' }), FROM)),
    200,
  );
  const { id } = hub.connect(RUNNER, hello(), FROM);
  assert.is(hub.session(id, 'runner000002'), null, 'of another runner');
  const many = Array.from({ length: 12 }, (_, index) =>
    refused(() => hub.connect(RUNNER, hello({ instance: `i${index}` }), FROM)),
  );
  assert.ok(many.includes(429));
});

test('the connection of a remote runner ends a run whose result another process has stored', async () => {
  const { hub, connect } = stage(true);
  const { session } = connect();
  const outcome = begin(session).then(
    () => 'done',
    (error: unknown) => (error as Error).name,
  );
  await settled();
  hub.stored('run000000001', 'EU, West');
  assert.is(await outcome, 'RunAborted');
});

test.run();

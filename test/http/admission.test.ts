import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ACCEPTING_TURNS, createAdmission, type AdmissionLimits } from '../../http/admission.ts';
import { STREAM_BEGUN } from '../../http/media/content.ts';
import { createKindOf } from '../../http/connections/pools.ts';
import { fakeClock } from '../network/fake-clock.ts';
import { createPendingResponse, type PendingResponse } from './connections/pending-response.ts';

const test = suite('limits of concurrent requests');

const LIMITS: AdmissionLimits = {
  concurrent: 2,
  urgentConcurrent: 1,
  visitsConcurrent: 1,
  streamsConcurrent: 1,
  slotTime: 250,
  arrivingSlotTime: 25,
  maxWait: 9_000,
};

const stage = (limits: Partial<AdmissionLimits> = {}) => {
  const clock = fakeClock(0);
  const begun: (string | undefined)[] = [];
  const refused: (string | undefined)[] = [];
  let due: (() => void)[] = [];
  const admission = createAdmission(
    { ...LIMITS, ...limits },
    {
      app: ({ url }) => begun.push(url),
      refuse: ({ url }) => refused.push(url),
      isUrgent: ({ url }) => url === '/health/live',
      kindOf: createKindOf(({ url = '' }) => url.startsWith('/status/')),
      clientOf: ({ url = '' }) => url.split('/')[2] ?? '',
      clock,
      soon: (callback) => due.push(callback),
    },
  );
  const admit = (url: string): PendingResponse => {
    const one = createPendingResponse(url);
    admission.admit(one.request, one.response);
    return one;
  };
  /** Ends the current iteration of the event loop. */
  const turn = (): void => {
    const now = due;
    due = [];
    for (const callback of now) callback();
  };
  return { clock, begun, refused, admission, admit, turn, scheduled: () => due.length };
};

test('a single request is passed on immediately and leaves no timer behind', () => {
  const { begun, admit, scheduled, clock } = stage();
  const one = admit('/a');
  assert.equal(begun, ['/a']);
  one.end();
  one.take();
  assert.is(scheduled(), 0);
  assert.is(clock.pending(), 0);
});

test('requests over the limit are queued, and passed on in the order of their arrival', () => {
  const { begun, admit, turn } = stage();
  const all = ['/a', '/b', '/c', '/d', '/e'].map(admit);
  turn();
  assert.equal(begun, ['/a', '/b']);
  all[1]?.end();
  turn();
  assert.equal(begun, ['/a', '/b', '/c']);
  all[0]?.end();
  all[2]?.end();
  turn();
  assert.equal(begun, ['/a', '/b', '/c', '/d', '/e']);
});

test('a new request does not overtake queued requests', () => {
  const { begun, admit, turn } = stage({ concurrent: 1 });
  const first = admit('/a');
  admit('/b');
  first.end();
  admit('/c');
  assert.equal(begun, ['/a']);
  turn();
  assert.equal(begun, ['/a', '/b']);
});

test('requests of visitors have a separate queue', () => {
  const { begun, admit, turn } = stage();
  const visitors = Array.from({ length: 100 }, (_, index) => admit(`/status/${index}`));
  assert.equal(begun, ['/status/0']);
  const caller = admit('/v1/a');
  assert.equal(begun, ['/status/0', '/v1/a']);
  admit('/v1/b');
  admit('/v1/c');
  visitors[0]?.end();
  caller.end();
  turn();
  assert.equal(begun, ['/status/0', '/v1/a', '/v1/b', '/v1/c', '/status/1']);
});

test('an event stream releases its slot when it starts', () => {
  const { begun, admit, turn } = stage();
  const [first, second] = ['/status/1', '/status/2'].map(admit);
  turn();
  assert.equal(begun, ['/status/1']);
  first?.response.emit(STREAM_BEGUN);
  turn();
  assert.equal(begun, ['/status/1', '/status/2']);
  second?.end();
});

test('requests for event streams have a separate queue until the streams start', () => {
  const { begun, admit, turn } = stage();
  const streams = Array.from({ length: 100 }, () => admit('/v1/events'));
  assert.equal(begun, ['/v1/events']);
  admit('/v1/a');
  admit('/status/acme');
  assert.equal(begun.slice(1), ['/v1/a', '/status/acme']);
  streams[0]?.response.emit(STREAM_BEGUN);
  turn();
  assert.equal(begun.slice(3), ['/v1/events']);
});

test('the number of visits that start in one iteration of the event loop is limited, even if each visit ends immediately', () => {
  const { begun, admit, turn, scheduled } = stage({ visitsConcurrent: 2 });
  for (let visitor = 0; visitor < 5; visitor++) admit(`/status/${visitor}`).end();
  assert.equal(begun, ['/status/0', '/status/1']);
  const caller = admit('/v1/a');
  assert.equal(begun.slice(2), ['/v1/a']);
  caller.end();
  turn();
  assert.equal(begun.slice(3), ['/status/2', '/status/3']);
  turn();
  assert.is(scheduled(), 0);
});

test('a response that the client has not read yet does not occupy a slot', () => {
  const { begun, admit, turn } = stage({ concurrent: 1 });
  const first = admit('/a');
  admit('/b');
  first.end(1_000_000);
  turn();
  assert.equal(begun, ['/a', '/b']);
});

test('a slow request releases its slot after a time limit', async () => {
  const { begun, admit, turn, clock } = stage();
  for (const url of ['/a', '/b', '/c', '/d', '/e']) admit(url);
  await clock.advance(249);
  turn();
  assert.equal(begun, ['/a', '/b']);
  await clock.advance(1);
  turn();
  assert.equal(begun, ['/a', '/b', '/c', '/d']);
  await clock.advance(250);
  turn();
  assert.equal(begun, ['/a', '/b', '/c', '/d', '/e']);
  assert.is(clock.pending(), 0);
});

test('queued clients take turns, so a client with many requests delays another client by only one request', () => {
  const { begun, admit, turn } = stage({ concurrent: 1 });
  const urls = ['/a/many', '/b/many', '/c/many', '/d/many', '/e/few', '/f/other', '/g/few'];
  const all = new Map(urls.map((url) => [url, admit(url)]));
  for (let answered = 0; answered < urls.length; answered++) {
    all.get(begun.at(-1) ?? '')?.end();
    turn();
  }
  assert.equal(begun, ['/a/many', '/b/many', '/e/few', '/f/other', '/c/many', '/g/few', '/d/many']);
});

test('a request whose body has not arrived releases its slot after a shorter time limit', async () => {
  const { begun, admit, turn, clock } = stage();
  admit('/a').request.complete = false;
  admit('/b');
  for (const url of ['/c', '/d']) admit(url);
  await clock.advance(24);
  turn();
  assert.equal(begun, ['/a', '/b']);
  await clock.advance(1);
  turn();
  assert.equal(begun, ['/a', '/b', '/c']);
  await clock.advance(225);
  turn();
  assert.equal(begun, ['/a', '/b', '/c', '/d']);
});

test('a queued request whose client has disconnected is not passed on', () => {
  const { begun, admit, turn, clock } = stage({ concurrent: 1 });
  const first = admit('/a');
  const left = admit('/b');
  admit('/c');
  left.leave();
  first.end();
  turn();
  assert.equal(begun, ['/a', '/c']);
  assert.is(clock.pending(), 0);
});

test('a request that has waited too long is refused without being passed on', async () => {
  const { begun, refused, admit, turn, clock } = stage({ concurrent: 1, slotTime: 20_000 });
  const first = admit('/a');
  admit('/b');
  await clock.advance(5_000);
  admit('/c');
  await clock.advance(4_000);
  first.end();
  turn();
  assert.equal(refused, ['/b']);
  assert.equal(begun, ['/a', '/c']);
});

test('a request that has waited too long is refused even if no other request finishes', async () => {
  const { refused, admit, turn, clock } = stage({ concurrent: 0, maxWait: 500 });
  admit('/a');
  await clock.advance(250);
  turn();
  assert.equal(refused, []);
  await clock.advance(250);
  turn();
  assert.equal(refused, ['/a']);
});

test('urgent requests have a separate queue', () => {
  const { begun, admit, turn } = stage({ concurrent: 1 });
  admit('/a');
  admit('/b');
  const live = admit('/health/live');
  admit('/health/live');
  assert.equal(begun, ['/a', '/health/live']);
  live.end();
  turn();
  assert.equal(begun, ['/a', '/health/live', '/health/live']);
});

test('new connections are accepted before queued requests start, for a limited number of event loop iterations', () => {
  const { begun, admission, admit, turn } = stage({ concurrent: 1 });
  const first = admit('/a');
  admit('/b');
  admit('/health/live').end();
  admit('/health/live');
  admit('/health/live');
  first.end();
  admission.accepted();
  turn();
  assert.equal(begun, ['/a', '/health/live', '/health/live']);
  turn();
  assert.is(begun.at(-1), '/b');

  const busy = stage({ concurrent: 1 });
  busy.admit('/a').end();
  busy.admit('/b');
  busy.admit('/c').end();
  for (let turns = 1; turns <= ACCEPTING_TURNS; turns++) {
    busy.admission.accepted();
    busy.turn();
  }
  assert.equal(busy.begun, ['/a', '/b']);
});

test.run();

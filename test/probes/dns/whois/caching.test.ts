import { createServer, type AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock, type Clock } from '../../../../network/clock.ts';
import { createRunCache, type RunCache } from '../../../../probes/engine/run-cache.ts';
import { shortOfTime, lookUpRegistration } from './look-up.ts';
import { IANA, listOf, localWorld, REGISTRAR, REGISTRY, type World } from './registries.ts';
import { realPause } from '../../../waiting.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../../domain/time.ts';

const remembering = suite('caching of registrations');

/** Creates a cache without rate limits, and a function that moves its clock forward. */
const memoryAt = (): { memory: RunCache; pass: (seconds: number) => void } => {
  let ahead = 0;
  const clock: Pick<Clock, 'monotonic' | 'after'> = {
    monotonic: () => systemClock.monotonic() + ahead,
    after: systemClock.after,
  };
  return {
    memory: { ...createRunCache(clock), waitForSlot: async () => undefined },
    pass: (seconds) => {
      ahead += seconds * 1_000;
    },
  };
};

const WHOIS = 'Registrar: By WHOIS\nRegistry Expiry Date: 2027-01-01T00:00:00Z\n';
const RDAP = JSON.stringify({
  ldhName: 'example.com',
  events: [{ eventAction: 'expiration', eventDate: '2027-01-01T00:00:00Z' }],
});
const world = (more: World = {}) =>
  localWorld({
    bootstrap: listOf('com'),
    rdap: (path, response) => {
      if (path.endsWith('free.com')) response.writeHead(404).end();
      else response.writeHead(200).end(RDAP);
    },
    whois: (server) => (server === IANA ? `whois: ${REGISTRY}\n` : WHOIS),
    ...more,
  });

remembering('registrations are cached for a day, failures for an hour, and the server list for a day', async () => {
  const open = await world();
  const { memory, pass } = memoryAt();
  const ask = async (host: string): Promise<string[]> => {
    open.requests.length = 0;
    await lookUpRegistration(host, open, { memory });
    return open.requests.map((requested) => requested.replace('GET ', ''));
  };
  assert.equal(await ask('a.example.com'), ['/bootstrap', '/rdap/domain/example.com']);
  assert.equal(await ask('free.com'), ['/rdap/domain/free.com']);
  pass(HOUR_SECONDS - 10);
  assert.equal(await ask('b.example.com'), []);
  assert.equal(await ask('free.com'), []);
  pass(20);
  assert.equal(await ask('example.com'), []);
  assert.equal(await ask('free.com'), ['/rdap/domain/free.com']);
  pass(DAY_SECONDS);
  assert.equal(await ask('example.com'), ['/bootstrap', '/rdap/domain/example.com']);
  await open.close();
});

remembering('the WHOIS server of a registry is cached for a day', async () => {
  const open = await world({ bootstrap: listOf() });
  const { memory, pass } = memoryAt();
  for (const host of ['one.com', 'two.com']) await lookUpRegistration(host, open, { memory });
  assert.equal(
    open.requests.filter((requested) => !requested.startsWith('GET')),
    [`${IANA} com`, `${REGISTRY} one.com`, `${REGISTRY} two.com`],
  );
  pass(DAY_SECONDS + 1);
  await lookUpRegistration('one.com', open, { memory });
  assert.equal(open.requests.slice(-2), [`${IANA} com`, `${REGISTRY} one.com`]);
  await open.close();
});

remembering('the cache of registrations is bypassed if a user requests the run', async () => {
  const open = await world();
  const memory = shortOfTime();
  for (const fresh of [false, true, false]) await lookUpRegistration('example.com', open, { memory, fresh });
  assert.is(open.requests.filter((requested) => requested.includes('example.com')).length, 2);
  await open.close();
});

remembering('concurrent runs share one look-up of a registration', async () => {
  const open = await world();
  const memory = createRunCache(systemClock);
  const found = await Promise.all(
    ['a', 'b', 'c'].map((name) => lookUpRegistration(`${name}.example.com`, open, { memory, within: 20_000 })),
  );
  assert.ok(found.every(({ info }) => info?.domain_name === 'example.com'));
  assert.is(open.requests.filter((requested) => requested.includes('example.com')).length, 1);
  await open.close();
});

remembering(
  'look-ups of registrations are rate-limited, and one that would wait too long is postponed to a later run',
  async () => {
    const open = await world();
    const memory = createRunCache(systemClock);
    const names = Array.from({ length: 10 }, (_, index) => `name${index}.com`);
    const before = performance.now();
    const found = await Promise.all(names.map((name) => lookUpRegistration(name, open, { memory })));
    const requested = open.requests.filter((one) => one.includes('/name'));
    assert.ok(requested.length >= 2 && requested.length <= 1 + (performance.now() - before) / 999, requested.join());
    const left = found.filter(({ info }) => info === null);
    assert.is(left.length + requested.length, 10);
    for (const { error } of left) assert.match(error ?? '', 'will be looked up by a later run');
    // A look-up at another registry does not wait. The postponed look-up is not cached as a failure.
    const { error } = await lookUpRegistration('name0.net', open, { memory });
    assert.not.match(error ?? '', 'later run');
    await realPause(2_100, 'registries are queried once a second, and two lookups may be planned ahead');
    const last = names[found.findLastIndex(({ info }) => info === null)] ?? '';
    assert.ok((await lookUpRegistration(last, open, { memory })).info);
    await open.close();
  },
);

remembering('an aborted run caches no registration', async () => {
  const open = await world({ rdap: () => undefined });
  const memory = shortOfTime();
  const ending = new AbortController();
  const run = lookUpRegistration('example.com', open, { memory, signal: ending.signal });
  setTimeout(() => {
    ending.abort(new Error('over'));
  }, 50);
  try {
    await run;
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, 'over');
  }
  assert.is(await memory.get('registration of example.com'), undefined);
  await open.close();
});

remembering('a timeout of a registry is cached', async () => {
  const open = await world({ rdap: () => undefined, whois: () => null });
  const memory = shortOfTime();
  const { info, error } = await lookUpRegistration('example.com', open, { memory, within: 4_000 });
  assert.is(info, null);
  assert.match(error ?? '', 'did not answer in time.');
  open.requests.length = 0;
  await lookUpRegistration('example.com', open, { memory, within: 4_000 });
  assert.equal(open.requests, []);
  await open.close();
});

remembering(
  'a timeout that is due to a run’s short remaining time is not cached, because it would affect other checks',
  async () => {
    const slow = createServer((socket) => socket.resume().on('error', () => undefined));
    await new Promise<void>((listening) => slow.listen(0, IANA, listening));
    const open = await world({ rdap: () => undefined, whois: () => null });
    const memory = shortOfTime();
    const silent = `http://${IANA}:${(slow.address() as AddressInfo).port}/bootstrap`;
    const registries = { ...open.registries, rdapBootstrapUrl: silent };
    const { error } = await lookUpRegistration('example.com', { ...open, registries }, { memory, within: 2_000 });
    assert.match(error ?? '', 'did not answer in time.');
    assert.is(await memory.get(`RDAP servers of ${silent}`), undefined);
    open.requests.length = 0;
    await lookUpRegistration('example.com', open, { memory, within: 2_000 });
    await lookUpRegistration('example.com', open, { memory, within: 2_000 });
    assert.is(open.requests.filter((requested) => requested.includes('/domain/example.com')).length, 2);
    await new Promise((closed) => slow.close(closed));
    await open.close();
  },
);

remembering('concurrent look-ups at many registries share one request for the list of RDAP servers', async () => {
  const topLevels = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const open = await world({ bootstrap: listOf(...topLevels.slice(0, 3)) });
  const memory = createRunCache(systemClock);
  await Promise.all(
    topLevels.map((topLevel) => lookUpRegistration(`example.${topLevel}`, open, { memory, within: 5_000 })),
  );
  assert.is(open.requests.filter((requested) => requested === 'GET /bootstrap').length, 1);
  await open.close();
});

remembering('a run that spent its time waiting for a rate limit does not cache a failure', async () => {
  const open = await world();
  const memory: RunCache = {
    ...shortOfTime(),
    waitForSlot: (key, _pause, signal) =>
      key.startsWith('registry server')
        ? new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reject(signal.reason as Error);
            });
          })
        : Promise.resolve(),
  };
  const { error } = await lookUpRegistration('example.com', open, { memory, within: 200 });
  assert.match(error ?? '', 'will be looked up by a later run');
  assert.is(await memory.get('registration of example.com'), undefined);
  assert.is(await memory.get('registration of example.com is under way'), undefined);
  await open.close();
});

remembering('data of the registrar completes the data of the registry', async () => {
  const open = await world({
    bootstrap: listOf(),
    whois: (server) => {
      if (server === IANA) return `refer: ${REGISTRY}\n`;
      if (server === REGISTRAR)
        return 'Registrar: Registrar, Inc.\nExpiration Date: 2028-01-01\nCreation Date: 1999-01-01\n';
      return `Creation Date: 2000-01-01\nRegistrar WHOIS Server: ${REGISTRAR}\nStatus: ok\n`;
    },
  });
  const { info } = await lookUpRegistration('example.com', open);
  assert.equal(info, {
    domain_name: 'example.com',
    registrar: 'Registrar, Inc.',
    creation_date: '2000-01-01T00:00:00.000Z',
    expiration_date: '2028-01-01T00:00:00.000Z',
    updated_date: null,
    status: ['ok'],
  });
  assert.equal(open.requests.slice(1), [`${IANA} com`, `${REGISTRY} example.com`, `${REGISTRAR} example.com`]);
  await open.close();
});

remembering(
  'a known expiry date is used for a month while registries return no date, unless the domain is no longer registered',
  async () => {
    let says: 'all' | 'little' | 'nothing' | 'free' = 'all';
    const open = await world({
      rdap: (_, response) => {
        if (says === 'all') response.end(RDAP);
        else if (says === 'little') response.end('{"ldhName":"example.com","status":["active"]}');
        else response.writeHead(says === 'free' ? 404 : 500).end();
      },
      whois: () => '',
    });
    const { memory, pass } = memoryAt();
    const ask = async (after: number) => {
      pass(after);
      const { info, error } = await lookUpRegistration('example.com', open, { memory });
      return [info?.expiration_date, error === null];
    };
    const date = '2027-01-01T00:00:00.000Z';
    assert.equal(await ask(0), [date, true]);
    says = 'nothing';
    assert.equal(await ask(DAY_SECONDS + 1), [date, false]);
    says = 'little';
    assert.equal(await ask(HOUR_SECONDS + 1), [date, false]);
    says = 'free';
    assert.equal(await ask(HOUR_SECONDS + 1), [undefined, false]);
    says = 'nothing';
    assert.equal(await ask(30 * DAY_SECONDS), [undefined, false]);
    await open.close();
  },
);

remembering.run();

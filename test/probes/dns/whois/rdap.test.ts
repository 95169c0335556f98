import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookUpRegistration } from './look-up.ts';
import { IANA, listOf, localWorld, REGISTRY, type LocalWorld, type World } from './registries.ts';

const rdap = suite('looking up registrations by RDAP');

const inWorld = async (world: World, run: (world: LocalWorld) => Promise<void>): Promise<void> => {
  const open = await localWorld(world);
  try {
    await run(open);
  } finally {
    await open.close();
  }
};

const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/rdap+json' }).end(JSON.stringify(body));
};

const card = (name: string) => [
  'vcard',
  [
    ['version', {}, 'text', '4.0'],
    ['fn', {}, 'text', name],
  ],
];
const event = (eventAction: string, eventDate: string) => ({ eventAction, eventDate });

/** A response in the format of gTLD registries (ICANN's RDAP response profile). */
const ANSWER = {
  objectClassName: 'domain',
  handle: '1_DOMAIN_COM-VRSN',
  ldhName: 'EXAMPLE.COM',
  status: ['client delete prohibited', 'client transfer prohibited', 'active'],
  entities: [
    { objectClassName: 'entity', roles: ['registrant'], vcardArray: card('Somebody') },
    {
      objectClassName: 'entity',
      handle: '376',
      roles: ['registrar'],
      vcardArray: card('Registrar of Names, Inc.'),
      entities: [{ objectClassName: 'entity', roles: ['abuse'], vcardArray: card('Abuse') }],
    },
  ],
  events: [
    event('registration', '1995-08-14T04:00:00Z'),
    event('expiration', '2027-08-13T04:00:00Z'),
    event('registrar expiration', '2028-08-13T04:00:00Z'),
    event('last changed', '2026-08-14T09:01:44+02:00'),
    event('last update of RDAP database', '2026-11-22T10:00:00Z'),
  ],
};
const INFO = {
  domain_name: 'example.com',
  registrar: 'Registrar of Names, Inc.',
  creation_date: '1995-08-14T04:00:00.000Z',
  expiration_date: '2027-08-13T04:00:00.000Z',
  updated_date: '2026-08-14T07:01:44.000Z',
  status: ['clientDeleteProhibited', 'clientTransferProhibited', 'ok'],
};
const saying =
  (body: unknown) =>
  (_path: string, response: ServerResponse): void => {
    json(response, body);
  };
const saysIt = saying(ANSWER);

rdap('RDAP is queried for the registrable domain of a host', () =>
  inWorld({ rdap: saysIt }, async (world) => {
    assert.equal(await lookUpRegistration('a.b.www.example.com.', world), { info: INFO, error: null });
    assert.equal(world.requests, ['GET /bootstrap', 'GET /rdap/domain/example.com']);
  }),
);

rdap('RDAP is queried for names under a suffix of several labels, and in IDNA spelling', () =>
  inWorld({ bootstrap: listOf('uk', 'xn--p1ai'), rdap: saysIt }, async (world) => {
    await lookUpRegistration('www.example.co.uk', world);
    await lookUpRegistration('почта.Пример.РФ', world);
    assert.equal(
      world.requests.filter((requested) => requested.includes('/rdap/')),
      ['GET /rdap/domain/example.co.uk', 'GET /rdap/domain/xn--e1afmkfd.xn--p1ai'],
    );
  }),
);

rdap('RDAP is not queried for addresses, suffixes and reverse names', () =>
  inWorld({ rdap: saysIt }, async (world) => {
    for (const host of ['192.0.2.1', '2001:db8::1', 'com', 'co.uk', 'localhost', '1.2.0.192.in-addr.arpa'])
      assert.equal(await lookUpRegistration(host, world), {
        info: null,
        error: `${host} has no registrable domain.`,
      });
    assert.equal(world.requests, []);
  }),
);

rdap('RDAP redirects are followed up to three times', () =>
  inWorld(
    {
      rdap: (path, response) => {
        if (path === '/rdap/domain/example.com')
          response.setHeader('location', ['', '../other/1']).writeHead(302).end();
        else if (path === '/rdap/other/1') saysIt(path, response);
        else response.writeHead(307, { location: `${path}x` }).end();
      },
    },
    async (world) => {
      assert.equal((await lookUpRegistration('example.com', world)).info, INFO);
      const { error } = await lookUpRegistration('other.com', world);
      assert.match(error ?? '', 'redirects too often.');
      assert.is(world.requests.filter((requested) => requested.includes('other.com')).length, 4);
    },
  ),
);

const NOTHING = {
  registrar: null,
  creation_date: null,
  expiration_date: null,
  updated_date: null,
  status: [],
  domain_name: 'example.com',
};

const ODD: readonly [string, unknown, object][] = [
  ['without data', { objectClassName: 'domain' }, NOTHING],
  ['with fields of unexpected types', { ldhName: 'EXAMPLE.com', events: 1, entities: { a: 1 }, status: 'x' }, NOTHING],
  [
    'with words that are properties of every JavaScript object',
    { status: ['constructor', '__proto__', 'active'] },
    { ...NOTHING, status: ['constructor', '__proto__', 'ok'] },
  ],
  [
    'with nested fields of unexpected types',
    {
      objectClassName: 'domain',
      events: [null, 1, { eventAction: 'expiration', eventDate: 5 }],
      entities: [[], { roles: 'registrar' }],
      status: [1],
    },
    NOTHING,
  ],
  [
    'with a registrar without a card',
    { entities: [{ roles: ['registrar'], handle: 'NAMES' }] },
    { ...NOTHING, registrar: 'NAMES' },
  ],
  [
    'with a registrar whose card has an unexpected structure',
    {
      entities: [{ roles: ['registrar'], handle: 'NAMES', vcardArray: ['vcard', [1, [], ['fn', {}, 'text', ['x']]]] }],
    },
    { ...NOTHING, registrar: 'NAMES' },
  ],
  [
    'with invalid dates',
    { ldhName: 'example.com', events: [event('expiration', '2027-02-31T00:00:00Z'), event('registration', 'soon')] },
    NOTHING,
  ],
  [
    'with a registrar name that contains line breaks',
    { entities: [{ roles: ['registrar'], handle: 'a\r\nb\u0000c' }] },
    { ...NOTHING, registrar: 'a b c' },
  ],
];

for (const [name, body, info] of ODD) {
  rdap(`RDAP data is read from a response ${name}`, () =>
    inWorld(
      {
        rdap: saying(body),
      },
      async (world) => {
        assert.equal((await lookUpRegistration('example.com', world)).info, info);
      },
    ),
  );
}

rdap('WHOIS is not queried if RDAP says that the domain is not registered', () =>
  inWorld(
    {
      rdap: (_, response) => {
        json(response, { errorCode: 404 }, 404);
      },
    },
    async (world) => {
      const { info, error } = await lookUpRegistration('example.com', world);
      assert.is(info, null);
      assert.is(error, `${new URL(world.origin).host} says that example.com is not registered.`);
      assert.is(world.requests.length, 2);
    },
  ),
);

const WHOIS = 'Domain Name: example.com\nRegistrar: By WHOIS\nRegistry Expiry Date: 2027-01-01T00:00:00Z\n';

const FAILING: readonly [string, World][] = [
  ['is not listed', { bootstrap: listOf('net') }],
  ['is in a list that cannot be loaded', { bootstrap: () => '' }],
  ['is in a list that is not JSON', { bootstrap: () => '[1, {}' }],
  [
    'is in a list with an unexpected structure',
    { bootstrap: () => ({ services: [1, [], [['com'], 5], [['com'], ['ftp://a/']]] }) },
  ],
  ['responds with an error', { rdap: (_, response) => response.writeHead(429).end() }],
  ['responds with something other than JSON', { rdap: (_, response) => response.writeHead(200).end('<html>') }],
  ['responds about something else', { rdap: saying({ objectClassName: 'entity' }) }],
  ['responds with an object without data', { rdap: saying({ errorCode: 429, ldhName: 5 }) }],
  ['responds with a string', { rdap: saying('hello') }],
  ['responds with more than 64 KiB', { rdap: saying('x'.repeat(70_000)) }],
  ['closes the connection', { rdap: (_, response) => void response.socket?.destroy() }],
  ['redirects without a location', { rdap: (_, response) => response.writeHead(302).end() }],
  ['redirects to an empty address', { rdap: (_, response) => response.writeHead(302, { location: '' }).end() }],
  [
    'redirects to an address that the policy does not allow',
    { rdap: (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end() },
  ],
];

for (const [name, world] of FAILING) {
  rdap(`WHOIS is queried if the RDAP server ${name}`, () =>
    inWorld({ ...world, whois: (server) => (server === IANA ? `whois: ${REGISTRY}\n` : WHOIS) }, async (open) => {
      assert.is((await lookUpRegistration('www.example.com', open)).info?.registrar, 'By WHOIS');
    }),
  );
}

rdap('WHOIS is queried if RDAP times out, in the remaining time', () =>
  inWorld(
    { rdap: () => undefined, whois: (server) => (server === IANA ? `whois: ${REGISTRY}\n` : WHOIS) },
    async (world) => {
      assert.is((await lookUpRegistration('example.com', world, { within: 1_000 })).info?.registrar, 'By WHOIS');
    },
  ),
);

rdap('WHOIS is queried for top-level domains named like properties of every object', () =>
  inWorld({ whois: (server) => (server === IANA ? `whois: ${REGISTRY}\n` : WHOIS) }, async (world) => {
    for (const topLevel of ['constructor', '__proto__', 'tostring'])
      assert.is((await lookUpRegistration(`example.${topLevel}`, world)).info?.registrar, 'By WHOIS', topLevel);
  }),
);

rdap('WHOIS supplies what the RDAP response lacks, especially the expiry date', () =>
  inWorld(
    {
      rdap: saying({ ...ANSWER, events: [event('Registration', '1995-08-14 04:00:00')] }),
      whois: (server) => (server === IANA ? `whois: ${REGISTRY}\n` : WHOIS),
    },
    async (world) => {
      assert.equal(await lookUpRegistration('example.com', world), {
        info: { ...INFO, expiration_date: '2027-01-01T00:00:00.000Z', updated_date: null },
        error: null,
      });
    },
  ),
);

rdap('RDAP data is used if WHOIS fails', () =>
  inWorld({ rdap: saying({ ...ANSWER, events: [] }) }, async (world) => {
    assert.equal(await lookUpRegistration('example.com', world), {
      info: { ...INFO, creation_date: null, expiration_date: null, updated_date: null },
      error: 'The registry of .com has no WHOIS server.',
    });
  }),
);

rdap('failures of RDAP and WHOIS are reported together', () =>
  inWorld({ rdap: (_, response) => response.writeHead(500).end() }, async (world) => {
    const { host } = new URL(world.origin);
    assert.is(
      (await lookUpRegistration('example.com', world)).error,
      `${host} answered with HTTP status 500 over RDAP. The registry of .com has no WHOIS server.`,
    );
  }),
);

rdap('RDAP servers are queried only if the policy allows it', () =>
  inWorld({ rdap: saysIt }, async (world) => {
    const { info, error } = await lookUpRegistration('example.com', world, { rules: { policy: 'public' } });
    assert.is(info, null);
    assert.match(error ?? '', 'The target policy does not allow 127.0.0.1 (loopback).');
    assert.equal(world.requests, []);
  }),
);

rdap.run();

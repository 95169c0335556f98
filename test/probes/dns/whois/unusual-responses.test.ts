import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dateOrderOf } from '../../../../probes/dns/whois/date-orders.ts';
import { isoDate } from '../../../../probes/dns/whois/dates.ts';
import { expiryFailure, unknownExpiry } from '../../../../probes/dns/whois/expiry.ts';
import { infoOfRdap } from '../../../../probes/dns/whois/rdap-response.ts';
import {
  infoOfWhois,
  isNotRegistered,
  referralIn,
  isRateLimited,
} from '../../../../probes/dns/whois/whois-response.ts';
import { fuzz, spoiled } from '../../fuzz.ts';
import { handles, manyTimes, noMoreThan } from '../../handles.ts';
import { lookUpRegistration } from './look-up.ts';
import { IANA, listOf, localWorld, REGISTRY, type World } from './registries.ts';

const odd = suite('unusual WHOIS servers');

const errorOf = async (whois: NonNullable<World['whois']>, within = 20_000): Promise<string | null> => {
  const world = await localWorld({ bootstrap: listOf(), whois });
  try {
    const { error } = await lookUpRegistration('www.example.com', world, { within });
    return error && error.replace('The registry of .com is not known to offer RDAP. ', '');
  } finally {
    await world.close();
  }
};
const refer = (says: string | null) => (server: string) => (server === IANA ? `refer: ${REGISTRY}\n` : says);

const FREE = [
  'No match for domain "EXAMPLE.COM".\r\n>>> Last update <<<',
  'Domain not found.\r\n',
  'No entries found for the selected source(s).\n',
  'Domain: example.com\nStatus: free\n',
  '% No match for example.com\n',
  '%% NOT FOUND\n',
  'No match!!\n',
  'Domain: example.com\nStatus:\tAVAILABLE\n',
  'The queried object does not exist: no matching record\n',
  'domain "example.com" not found.\n',
  'No Data Found\n',
];

odd('WHOIS responses that a domain is not registered are recognised in many phrasings', async () => {
  for (const text of FREE) {
    const output = text.startsWith('%') ? text.replace(/^%+ /, '') : text;
    assert.is(await errorOf(refer(output)), `${REGISTRY} says that example.com is not registered.`, text);
  }
});

odd('a WHOIS server’s request for fewer queries is reported', async () => {
  for (const text of [
    'WHOIS LIMIT EXCEEDED - SEE WWW.TEST FOR DETAILS',
    'Your connection limit exceeded.',
    'Query rate limit exceeded',
    'Too many queries',
  ])
    assert.is(await errorOf(refer(text)), `${REGISTRY} refuses further questions for now.`);
});

odd('empty, garbled and useless WHOIS responses are reported', async () => {
  const unreadable = `${REGISTRY} gave no readable answer about example.com.`;
  assert.is(await errorOf(refer('')), unreadable);
  assert.is(await errorOf(refer('Domain: example.com\nHello: you\n')), unreadable);
  assert.is(await errorOf(() => ''), 'The registry of .com has no WHOIS server.');
  assert.is(await errorOf(() => 'whois:\n\nrefer: -x y\n'), 'The registry of .com has no WHOIS server.');
});

odd('hang', async () => {
  assert.is(await errorOf(refer(null), 500), `${REGISTRY} did not answer in time.`);
});

odd('endless WHOIS responses are read up to 64 KiB', async () => {
  const endless = `Registrar: Early\n${'x: y\n'.repeat(50_000)}Expires: 2027-01-01\n`;
  const world = await localWorld({ bootstrap: listOf(), whois: refer(endless) });
  const { info } = await lookUpRegistration('example.com', world);
  assert.equal([info?.registrar, info?.expiration_date], ['Early', null]);
  await world.close();
});

odd('WHOIS referrals to refused addresses or closed ports are reported', async () => {
  assert.is(
    await errorOf((server) => (server === IANA ? 'refer: 169.254.169.254\n' : null)),
    'The target policy does not allow 169.254.169.254 (link-local).',
  );
  const closed = (await errorOf((server) => (server === IANA ? 'whois: 127.0.0.9:25\n' : null))) ?? '';
  // The port in a referral is ignored.
  assert.match(closed, /^Connection refused by 127\.0\.0\.9:(?!25\.)\d+\.$/);
});

odd('WHOIS responses in ISO 8859-1 are decoded', async () => {
  const text = Buffer.from('Registrar: Große Namen\nExpires: 2027-01-01\n', 'latin1');
  const world = await localWorld({
    bootstrap: listOf(),
    whois: (server) => (server === IANA ? `whois: ${REGISTRY}` : text),
  });
  assert.is((await lookUpRegistration('example.com', world)).info?.registrar, 'Große Namen');
  await world.close();
});

odd('WHOIS queries leave no handles open', async () => {
  let count = 0;
  const world = await localWorld({
    rdap: (_, response) => {
      if (count % 2 === 0) response.writeHead(500).end();
      else response.socket?.destroy();
    },
    whois: (server) => {
      count += 1;
      if (server === IANA) return `whois: ${REGISTRY}\n`;
      return count % 3 === 0 ? null : 'Domain not found.';
    },
  });
  const before = handles();
  await manyTimes(() => lookUpRegistration('example.com', world, { within: 60 }));
  await world.close();
  await noMoreThan(before);
});

const DATES: readonly [string, string | null][] = [
  ['2027-01-31T12:30:00Z', '2027-01-31T12:30:00.000Z'],
  ['2027-01-31T12:30:00.123456+02:00', '2027-01-31T10:30:00.000Z'],
  ['2027-01-31 12:30:00+02', '2027-01-31T10:30:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027/01/31 12:30:00 (JST)', '2027-01-31T03:30:00.000Z'],
  ['2027. 01. 31.', '2027-01-31T00:00:00.000Z'],
  ['20270131', '2027-01-31T00:00:00.000Z'],
  ['19990518 #162310', '1999-05-18T00:00:00.000Z'],
  ['31-Jan-2027 12:30:00 UTC', '2027-01-31T12:30:00.000Z'],
  ['31 January 2027', '2027-01-31T00:00:00.000Z'],
  ['2027-Jan-31.', '2027-01-31T00:00:00.000Z'],
  ['Jan 31, 2027', '2027-01-31T00:00:00.000Z'],
  ['Sun Jan 31 12:30:00 UTC 2027', '2027-01-31T12:30:00.000Z'],
  ['31.1.2027 12:30:00', '2027-01-31T12:30:00.000Z'],
  ['31/01/2027', '2027-01-31T00:00:00.000Z'],
  ['31-01-2027', '2027-01-31T00:00:00.000Z'],
  ['04.12.2027', '2027-12-04T00:00:00.000Z'],
  ['04/04/2027', '2027-04-04T00:00:00.000Z'],
  ['01/31/2027', '2027-01-31T00:00:00.000Z'],
  // The order of day and month is unknown, so there is no date.
  ['04/12/2027', null],
  ['04-12-2027', null],
  ['1st November, 2027', '2027-11-01T00:00:00.000Z'],
  ['Monday 16th Jun 2027', '2027-06-16T00:00:00.000Z'],
  ['August 13 2027', '2027-08-13T00:00:00.000Z'],
  ['31-JUL-2027', '2027-07-31T00:00:00.000Z'],
  ['Tue Mar 30 23:59:00 2027', '2027-03-30T23:59:00.000Z'],
  ['2027-05-31 06:00:00 (UTC+8)', '2027-05-30T22:00:00.000Z'],
  ['2027-05-31 06:00:00 (GMT+0:00)', '2027-05-31T06:00:00.000Z'],
  ['2027-05-31 06:00:00 -0530', '2027-05-31T11:30:00.000Z'],
  ['2027-11-20 14:48:02 CLST', '2027-11-20T17:48:02.000Z'],
  ['2027-11-20 14:48:02 CLT', '2027-11-20T18:48:02.000Z'],
  ['31/01/2027 23:27:38 EAT', '2027-01-31T20:27:38.000Z'],
  ['31-Jan-2027 11:21:25 PM', '2027-01-31T23:21:25.000Z'],
  ['31-Jan-2027 12:21:25 AM', '2027-01-31T00:21:25.000Z'],
  ['32/01/2027', null],
  ['2027-02-29', null],
  ['2027-13-01', null],
  ['31-Foo-2027', null],
  ['', null],
  ['before 1996', null],
  ['123456789', null],
];

const ORDERED: readonly [domain: string, text: string, date: string][] = [
  ['a.com.hk', '04-12-2027', '2027-12-04T00:00:00.000Z'],
  ['a.pt', '04/12/2027 23:59:00', '2027-12-04T23:59:00.000Z'],
  ['a.tk', '04-12-2027', '2027-04-12T00:00:00.000Z'],
  ['a.ga', '04/12/2027', '2027-04-12T00:00:00.000Z'],
];

odd('WHOIS dates of some registries are parsed in the order of day and month that the registry uses', () => {
  for (const [domain, text, date] of ORDERED) assert.is(isoDate(text, dateOrderOf(domain)), date, domain);
  assert.is(dateOrderOf('a.com'), null);
});

odd('WHOIS dates are parsed in many formats', () => {
  for (const [text, date] of DATES) assert.is(isoDate(text), date, text);
});

const NOW = Date.parse('2026-11-22T12:00:00Z');
const registered = (expiration_date: string | null) => ({
  domain_name: 'example.com',
  registrar: 'Names, Inc.',
  creation_date: null,
  expiration_date,
  updated_date: null,
  status: [],
});

odd('a registration that expires within the threshold is reported', () => {
  const day = 86_400;
  assert.is(expiryFailure(registered(null), day, NOW), null);
  assert.is(expiryFailure(registered('2026-12-22T12:00:00.000Z'), 29 * day, NOW), null);
  const soon = expiryFailure(registered('2026-12-22T12:00:00.000Z'), 30 * day, NOW);
  assert.equal([soon?.status, soon?.reason], ['failed', 'domain']);
  assert.is(
    soon?.message,
    'The registration of example.com expires in 30 days, on 2026-12-22. Renew it at Names, Inc.',
  );
  const gone = expiryFailure({ ...registered('2026-11-22T11:00:00.000Z'), registrar: null }, 0, NOW);
  assert.is(gone?.message, 'The registration of example.com expired on 2026-11-22. Renew it.');
  const today = expiryFailure(registered('2026-11-23T11:00:00.000Z'), day, NOW);
  assert.match(today?.message ?? '', 'expires in less than a day, on 2026-11-23.');
});

odd('an unknown expiry date is reported, with a note if a threshold could not be applied', () => {
  const undated = { info: registered(null), error: null };
  assert.is(unknownExpiry(undated, false), 'No registry says when the registration of example.com ends.');
  assert.is(
    unknownExpiry(undated, true),
    'No registry says when the registration of example.com ends. So domain_expiration_threshold was not checked.',
  );
  const silent = { info: null, error: 'whois.test did not answer in time.' };
  assert.is(unknownExpiry(silent, false), silent.error);
  assert.is(
    unknownExpiry(silent, true),
    'whois.test did not answer in time. So domain_expiration_threshold was not checked.',
  );
  assert.is(unknownExpiry({ info: registered('2026-12-22T12:00:00.000Z'), error: 'Silent.' }, true), 'Silent.');
});

const SEED =
  'Domain Name: EXAMPLE.COM\nRegistrar:\n  Name: X\n[Expires on] 2027/01/31\nchanged....: 31.1.2027 12:00:00\nrefer: a.test\n';

odd('WHOIS look-ups handle any response', () =>
  fuzz('answers of registries', 20_000, async (random, note) => {
    let bytes: Buffer = Buffer.from(SEED.repeat(1 + random.below(20)));
    for (let times = random.below(5); times > 0; times--) bytes = spoiled(bytes, random);
    const text = bytes.toString();
    note(JSON.stringify(text));
    const started = process.cpuUsage();
    const info = infoOfWhois(text, 'example.com', null);
    for (const line of [info?.registrar, ...(info?.status ?? [])]) assert.not.match(line ?? '', /[\r\n\0]/);
    assert.ok((info?.registrar?.length ?? 0) <= 201 && (info?.status.length ?? 0) <= 20);
    isNotRegistered(text);
    isRateLimited(text);
    referralIn(text, ['refer']);
    infoOfRdap({ events: [text], entities: [{ roles: ['registrar'], handle: text }], status: [text] }, 'example.com');
    // A slow pattern would use seconds of CPU time. CPU time does not depend on how busy the machine is.
    assert.ok(process.cpuUsage(started).user < 5_000_000);
  }),
);

odd('WHOIS responses are parsed in linear time, no matter what they repeat', () => {
  for (const piece of [
    ' ',
    '.',
    ':',
    '[',
    'a ',
    '-',
    '0',
    'limit ',
    'exceed ',
    '\t.',
    '. :',
    '** ',
    '\r',
    'https://',
  ]) {
    const text = piece.repeat(Math.floor(65_536 / piece.length));
    infoOfWhois(text, 'example.com', null);
    infoOfWhois(`${text}x`, 'example.com', null);
    infoOfWhois(`x${text}x`, 'example.com', null);
    infoOfWhois(`registrar: x${text}x`, 'example.com', null);
    infoOfWhois(`[status] ${text}x\u2028x`, 'example.com', null);
    infoOfWhois(`expires: ${text}`, 'example.com', null);
    infoOfWhois(`status: ${text}`, 'example.com', null);
    isNotRegistered(text);
    isRateLimited(text);
    isoDate(text);
  }
});

odd.run();

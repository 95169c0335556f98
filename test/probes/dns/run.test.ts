import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../network/clock.ts';
import { RunAborted } from '../../../probes/engine/check-type.ts';
import { dnsRun } from '../../../probes/dns/run.ts';
import { freePort } from '../../servers/ports.ts';
import { contextOf, verdictOf, ok } from '../run-context.ts';
import { serversOfCheck } from '../../../network/dns/servers.ts';
import { probe } from './probing.ts';
import {
  AA,
  AD,
  answering,
  extendedError,
  NXDOMAIN,
  RA,
  REFUSED,
  SERVFAIL,
  soa,
  zoneOf,
  type ReceivedQuestion,
  type Response,
} from './zone-server.ts';

const runs = suite('running dns checks');

const ZONE = zoneOf('example.test', [
  { type: 'NS', name: 'example.test', data: 'NS2.example.test' },
  { type: 'NS', name: 'example.test', data: 'ns1.example.test' },
  { type: 'A', name: 'example.test', data: '192.0.2.9', ttl: 300 },
  { type: 'A', name: 'example.test', data: '192.0.2.1', ttl: 60 },
  { type: 'A', name: 'example.test', data: '192.0.2.1', ttl: 60 },
  { type: 'MX', name: 'example.test', data: { preference: 20, exchange: 'b.example.test' } },
  { type: 'MX', name: 'example.test', data: { preference: 5, exchange: 'c.example.test' } },
  { type: 'CNAME', name: 'www.example.test', data: 'Web.example.test', ttl: 30 },
  { type: 'CNAME', name: 'web.example.test', data: 'example.test', ttl: 30 },
  { type: 'CNAME', name: 'a.example.test', data: 'b.example.test' },
  { type: 'CNAME', name: 'b.example.test', data: 'a.example.test' },
  { type: 'CNAME', name: 'gone.example.test', data: 'nothing.example.test' },
]);

/** Runs a check against a server that gives these responses. */
const runAgainst = async (
  host: string,
  parameters: Record<string, unknown> = {},
  respond: (runAgainst: ReceivedQuestion) => Response | null = ZONE,
  timeout = 20,
) => {
  const server = await answering(respond);
  try {
    const outcome = await probe(host, { parameters: { dns_servers: [server.address], ...parameters }, timeout });
    const sentence = (outcome.error_message ?? '').replaceAll(server.address, 'SERVER');
    return { ...outcome, sentence, address: server.address, questions: server.questions };
  } finally {
    await server.close();
  }
};

/** Returns the status, the reason and the error message of a check. */
const result = async (...given: Parameters<typeof runAgainst>): Promise<[string, string | null, string]> => {
  const { status, reason, sentence } = await runAgainst(...given);
  return [status, reason, sentence];
};

runs('a dns check without expected answers is ok with any answer', async () => {
  const outcome = await runAgainst('Example.TEST');
  assert.equal(verdictOf(outcome), ok);
  assert.ok(Number.isInteger(outcome.response_time));
  assert.equal(outcome.check_metadata, {
    domain: 'Example.TEST',
    query_name: 'example.test.',
    record_type: 'A',
    dns_servers: [outcome.address],
    dns_servers_used: outcome.address,
    answered_by: outcome.address,
    transport: 'udp',
    rcode: 'NOERROR',
    authenticated_data: false,
    validation_failed: false,
    validation_mode: 'contains_all',
    authoritative_nameservers: ['ns1.example.test.', 'ns2.example.test.'],
    cname_chain: [],
    answers: ['192.0.2.1', '192.0.2.9'],
    ttl: 60,
    expected_answers: null,
  });
});

runs('a dns check shows MX records by preference', async () => {
  const { check_metadata } = await runAgainst('example.test', { record_type: 'MX' });
  assert.equal(check_metadata.answers, ['5 c.example.test.', '20 b.example.test.']);
});

runs('a dns check follows aliases and shows them', async () => {
  const { check_metadata, status, questions } = await runAgainst('www.example.test');
  assert.is(status, 'ok');
  assert.equal(check_metadata.answers, ['192.0.2.1', '192.0.2.9']);
  assert.equal(check_metadata.cname_chain, [
    { name: 'www.example.test.', type: 'CNAME', target: 'web.example.test.' },
    { name: 'web.example.test.', type: 'CNAME', target: 'example.test.' },
  ]);
  assert.is(questions.filter((question) => question.endsWith(' A')).length, 1);
});

runs('a dns check of type CNAME does not follow the alias', async () => {
  const { check_metadata } = await runAgainst('www.example.test', { record_type: 'CNAME' });
  assert.equal(check_metadata.answers, ['web.example.test.']);
  assert.equal(check_metadata.cname_chain, []);
});

runs('a dns check queries the target of an alias if the response lacks the records of the target', async () => {
  const { check_metadata, questions } = await runAgainst('a.test', {}, ({ name, type }) => {
    if (type !== 'A') return { rcode: NXDOMAIN, authorities: [soa('test')] };
    if (name === 'a.test') return { answers: [{ type: 'CNAME', name, data: 'b.other' }] };
    return { answers: [{ type: 'A', name, data: '192.0.2.1' }] };
  });
  assert.equal(check_metadata.answers, ['192.0.2.1']);
  assert.equal(check_metadata.cname_chain, [{ name: 'a.test.', type: 'CNAME', target: 'b.other.' }]);
  assert.equal(questions.slice(0, 2), ['a.test A', 'b.other A']);
});

runs('a dns check follows a DNAME record, with or without the server’s CNAME record', async () => {
  for (const made of [true, false]) {
    const { check_metadata } = await runAgainst('www.old.test', {}, ({ name, type }) => {
      if (type !== 'A') return { rcode: NXDOMAIN, authorities: [soa('test')] };
      return {
        answers: [
          { type: 'A', name: 'www.new.test', data: '192.0.2.1' },
          ...(made ? [{ type: 'CNAME', name, data: 'www.new.test' } as const] : []),
          { type: 'DNAME', name: 'old.test', data: 'New.test' },
        ],
      };
    });
    assert.equal(check_metadata.answers, ['192.0.2.1']);
    assert.equal(check_metadata.cname_chain, [
      { name: 'old.test.', type: 'DNAME', target: 'new.test.' },
      ...(made ? [{ name: 'www.old.test.', type: 'CNAME', target: 'www.new.test.' }] : []),
    ]);
  }
});

runs('a dns check fails if aliases form a loop or an endless chain', async () => {
  const loop = await result('a.example.test');
  assert.equal(loop, [
    'failed',
    'answer',
    'The aliases of a.example.test lead nowhere: a.example.test → b.example.test and ' +
      'b.example.test → a.example.test, according to SERVER.',
  ]);
  const { status, sentence, questions } = await runAgainst(
    'n0.test',
    {},
    ({ name, type }) =>
      type === 'A' ? { answers: [{ type: 'CNAME', name, data: `n${Number(name.slice(1, -5)) + 1}.test` }] } : null,
    8,
  );
  assert.is(status, 'failed');
  assert.match(sentence, /^The aliases of n0\.test lead nowhere: .* and 30 more, according to SERVER\.$/);
  assert.is(questions.filter((question) => question.endsWith(' A')).length, 32);
});

runs('a dns check of an address looks up its reverse name', async () => {
  const pointing = ({ name, type }: ReceivedQuestion): Response =>
    type === 'PTR' ? { answers: [{ type, name, data: 'Host.example.test' }] } : { authorities: [soa('arpa')] };
  const v4 = await runAgainst('192.0.2.10', { record_type: 'PTR' }, pointing);
  assert.is(v4.check_metadata.query_name, '10.2.0.192.in-addr.arpa.');
  assert.equal(v4.check_metadata.answers, ['host.example.test.']);
  for (const host of ['2001:db8::567:89ab', '[2001:DB8::567:89ab]']) {
    const v6 = await runAgainst(host, { record_type: 'PTR' }, pointing);
    assert.is(
      v6.check_metadata.query_name,
      'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.',
    );
    assert.equal(v6.check_metadata.answers, ['host.example.test.']);
  }
  const name = await runAgainst('10.2.0.192.in-addr.arpa', { record_type: 'PTR' }, pointing);
  assert.equal(name.check_metadata.answers, ['host.example.test.']);
});

runs('a dns check looks up names beyond ASCII in IDNA spelling', async () => {
  const { check_metadata, questions } = await runAgainst('bücher.test', {}, ({ name, type }) =>
    type === 'A' ? { answers: [{ type, name, data: '192.0.2.1' }] } : { authorities: [soa('test')] },
  );
  assert.is(check_metadata.query_name, 'xn--bcher-kva.test.');
  assert.is(questions[0], 'xn--bcher-kva.test A');
});

runs('a dns check without a valid name fails without a query', async () => {
  assert.equal(await result('192.0.2.1'), [
    'failed',
    'lookup',
    '192.0.2.1 is an address: only its PTR records can be looked up.',
  ]);
  for (const host of ['a..b', 'x'.repeat(64), 'bad\u2028name.test', `${'long.'.repeat(51)}x`]) {
    const { status, reason, sentence, questions, response_time } = await runAgainst(host);
    assert.equal([status, reason, response_time, questions], ['failed', 'lookup', null, []]);
    assert.match(sentence, /can't be a DNS name: each label has 1 to 63 bytes, and the whole name at most 255\.$/);
  }
});

runs('a dns check compares the answers with the expected answers', async () => {
  const expecting = (expected_answers: string[], validation_mode?: string) =>
    result('example.test', { expected_answers, ...(validation_mode && { validation_mode }) });
  const good = ['ok', null, ''];
  assert.equal(await expecting([]), good);
  assert.equal(await expecting(['192.0.2.9']), good);
  assert.equal(await expecting(['192.0.2.9', '192.0.2.1'], 'exact'), good);
  assert.equal(await expecting(['192.0.2.9', '192.0.2.7', '192.0.2.8']), [
    'failed',
    'answer',
    'The A records of example.test are not as expected: missing "192.0.2.7" and "192.0.2.8"; ' +
      'found "192.0.2.1" and "192.0.2.9".',
  ]);
  assert.equal(await expecting(['192.0.2.9', '192.0.2.7'], 'exact'), [
    'failed',
    'answer',
    'The A records of example.test are not as expected: missing "192.0.2.7"; unexpected "192.0.2.1".',
  ]);
  assert.equal(await expecting(['192.0.2.9'], 'exact'), [
    'failed',
    'answer',
    'The A records of example.test are not as expected: unexpected "192.0.2.1".',
  ]);
  const { check_metadata } = await runAgainst('example.test', { expected_answers: ['192.0.2.9', '192.0.2.7'] });
  assert.equal(check_metadata.missing_answers, ['192.0.2.7']);
  assert.equal(check_metadata.unexpected_answers, ['192.0.2.1']);
  assert.equal(check_metadata.expected_answers, ['192.0.2.9', '192.0.2.7']);
});

runs('a dns check distinguishes an unknown name from a name without records of the type', async () => {
  const missing = await runAgainst('no.example.test', { expected_answers: ['192.0.2.1'] });
  assert.equal(
    [missing.status, missing.reason, missing.sentence],
    ['failed', 'answer', 'no.example.test does not exist in the zone example.test (NXDOMAIN from SERVER).'],
  );
  assert.ok(missing.response_time !== null);
  assert.equal(missing.check_metadata.authoritative_nameservers, ['ns1.example.test.', 'ns2.example.test.']);
  assert.equal(
    await result('gone.example.test', {}, ({ name, type }) => {
      if (type === 'A' && name === 'gone.example.test')
        return {
          rcode: NXDOMAIN,
          answers: [{ type: 'CNAME', name, data: 'nothing.example.test' }],
          authorities: [soa('example.test')],
        };
      return ZONE({ name, type, unchecked: false });
    }),
    [
      'failed',
      'answer',
      'nothing.example.test does not exist in the zone example.test (NXDOMAIN from SERVER); ' +
        'gone.example.test is an alias of it.',
    ],
  );
  assert.equal(await result('example.test', { record_type: 'AAAA' }), [
    'failed',
    'answer',
    'example.test exists but has no AAAA records, according to SERVER.',
  ]);
});

runs('a dns check distinguishes servers that refuse, that fail, and that are not responsible', async () => {
  const responding = (response: Response) => result('x.test', {}, () => response);
  assert.equal(await responding({ rcode: REFUSED }), [
    'failed',
    'answer',
    'SERVER refuses to answer for x.test (REFUSED): it has no such zone, or does not serve this runner.',
  ]);
  assert.equal(await responding({ rcode: SERVFAIL }), [
    'failed',
    'answer',
    'SERVER failed to look up the A records of x.test (SERVFAIL).',
  ]);
  assert.equal(await responding({ rcode: 9 }), [
    'failed',
    'answer',
    'SERVER answers NOTAUTH when asked for the A records of x.test.',
  ]);
  const lame = 'SERVER does not answer for x.test: it neither serves the zone nor offers recursion';
  assert.equal(await responding({ flags: 0 }), ['failed', 'answer', `${lame}.`]);
  assert.equal(
    await responding({
      flags: 0,
      authorities: ['b.test', 'a.test', 'c.test'].map((data) => ({ type: 'NS', name: 'test', data })),
    }),
    ['failed', 'answer', `${lame}, and refers to a.test, b.test and 1 more for test.`],
  );
});

runs('a dns check reports a failed DNSSEC validation with the server’s reason', async () => {
  const outcome = await runAgainst('x.test', {}, ({ name, type, unchecked }) => {
    if (type !== 'A') return { rcode: NXDOMAIN, authorities: [soa('test')] };
    if (unchecked) return { answers: [{ type, name, data: '192.0.2.1' }] };
    return {
      rcode: SERVFAIL,
      additionals: [extendedError(7, 'RRSIG of x.test.')],
    };
  });
  assert.equal([outcome.status, outcome.reason], ['failed', 'answer']);
  assert.is(
    outcome.sentence,
    'DNSSEC validation of x.test fails at SERVER (SERVFAIL, but an answer without validation): check the ' +
      "zone's signatures and the DS records in its parent zone. The server's reason: signature expired: RRSIG of x.test.",
  );
  assert.is(outcome.check_metadata.validation_failed, true);
  assert.equal(outcome.check_metadata.answers, []);
});

runs("a dns check quotes the server's reason on one line without direction marks", async () => {
  const { sentence } = await runAgainst('x.test', {}, () => ({
    rcode: REFUSED,
    additionals: [extendedError(18, 'not\r\n\u001b\u202eyou\u2066')],
  }));
  assert.match(sentence, /The server's reason: prohibited: not you\.$/);
});

runs('a dns check shows whether the server has validated the answer', async () => {
  const { check_metadata } = await runAgainst('x.test', {}, ({ name, type }) => ({
    flags: RA | AD,
    ...(type === 'A' ? { answers: [{ type, name, data: '192.0.2.1' }] } : { authorities: [soa('test')] }),
  }));
  assert.is(check_metadata.authenticated_data, true);
});

runs(
  'a dns check finds the name servers of the zone by querying parent names, even if responses say little about the zone',
  async () => {
    const nameservers = async (host: string, respond: (runAgainst: ReceivedQuestion) => Response | null) =>
      (await runAgainst(host, {}, respond)).check_metadata.authoritative_nameservers;
    const A = ({ name }: ReceivedQuestion): Response => ({ answers: [{ type: 'A', name, data: '192.0.2.1' }] });
    const at =
      (zone: string, otherwise: (runAgainst: ReceivedQuestion) => Response | null) => (question: ReceivedQuestion) => {
        if (question.type === 'A') return A(question);
        return question.name === zone
          ? { answers: [{ type: 'NS', name: zone, data: 'ns.test' } as const] }
          : otherwise(question);
      };
    assert.equal(
      await nameservers(
        'a.b.c.test',
        at('c.test', () => ({ rcode: NXDOMAIN })),
      ),
      ['ns.test.'],
    );
    assert.equal(
      await nameservers(
        'a.b.c.test',
        at('c.test', () => ({ authorities: [soa('c.test')] })),
      ),
      ['ns.test.'],
    );
    assert.equal(
      await nameservers(
        'a.test',
        at('', () => ({ rcode: SERVFAIL })),
      ),
      [],
    );
    assert.equal(
      await nameservers(
        'a.test',
        at('', () => ({})),
      ),
      [],
    );
    assert.equal(
      await nameservers(
        'a.b.test',
        at('', () => ({ flags: 0, authorities: [{ type: 'NS', name: 'b.test', data: 'r.test' }] })),
      ),
      ['r.test.'],
    );
  },
);

runs('a dns check keeps its answer if the name servers of the zone are not found in time', async () => {
  const { status, check_metadata } = await runAgainst(
    'x.test',
    {},
    ({ name, type }) => (type === 'A' ? { answers: [{ type, name, data: '192.0.2.1' }] } : null),
    1,
  );
  assert.is(status, 'ok');
  assert.equal(check_metadata.authoritative_nameservers, []);
});

runs('a dns check is down if no server responds, and names each server', async () => {
  const silent = await answering(() => null);
  const closed = `127.0.0.1:${await freePort()}`;
  const given = { parameters: { dns_servers: [closed, silent.address, closed] }, timeout: 0.5 };
  const outcome = await probe('x.test', given);
  await silent.close();
  assert.equal([outcome.status, outcome.reason, outcome.response_time], ['down', 'timeout', null]);
  assert.match(
    outcome.error_message ?? '',
    new RegExp(`^Connection refused by ${closed} over UDP\\. .*${silent.address}.*1 more server gave no answer\\.$`),
  );
  assert.is(outcome.check_metadata.dns_servers_used, `${closed}, ${silent.address}, ${closed}`);
  assert.is(outcome.check_metadata.rcode, null);
});

runs('a dns check shows which of several servers responded', async () => {
  const server = await answering(ZONE);
  const closed = `127.0.0.1:${await freePort()}`;
  const { status, check_metadata } = await probe('example.test', {
    parameters: { dns_servers: [closed, server.address] },
  });
  await server.close();
  assert.is(status, 'ok');
  assert.is(check_metadata.dns_servers_used, server.address);
});

runs('a dns check without servers queries the servers of the system, whatever the policy allows', async () => {
  const server = await answering(ZONE);
  const run = dnsRun(async () => serversOfCheck([server.address]).map((one) => ({ ...one, isPolicyApplied: false })));
  const parameters = { dns_servers: [] };
  const check = { type: 'dns', url: null, host: 'example.test', port: null, timeout: 20, parameters, secrets: {} };
  const outcome = await run(check, contextOf({ rules: { policy: 'public' } }));
  assert.equal(verdictOf(outcome), ok);
  assert.is(outcome.check_metadata['dns_servers_used'], 'system_default');
  assert.is(outcome.check_metadata['answered_by'], server.address);
  assert.not('dns_servers' in outcome.check_metadata);
  await server.close();
});

runs('a dns check fails if the policy does not allow its servers', async () => {
  const server = await answering(ZONE);
  const outcome = await probe('example.test', {
    parameters: { dns_servers: [server.address] },
    rules: { policy: 'public' },
  });
  await server.close();
  assert.equal([outcome.status, outcome.reason], ['failed', 'target']);
  assert.match(outcome.error_message ?? '', /^The target policy does not allow 127\.0\.0\.1 \(loopback\)\.$/);
  assert.equal(server.questions, []);
});

runs('a dns check ends when its signal aborts', async () => {
  const server = await answering(() => null);
  const ending = new AbortController();
  const run = probe('x.test', { parameters: { dns_servers: [server.address] }, signal: ending.signal });
  systemClock.after(20, () => {
    ending.abort();
  });
  try {
    await run;
    assert.unreachable();
  } catch (error) {
    assert.instance(error, RunAborted);
  }
  await server.close();
});

runs('the metadata of a dns check fits into 32 KiB, and the answers are shortened last', async () => {
  const text = Buffer.alloc(255, 7);
  const outcome = await runAgainst(
    'x.test',
    {
      record_type: 'TXT',
      expected_answers: Array.from({ length: 100 }, (_, index) => `${index}${'é'.repeat(4_000)}`),
    },
    ({ name, type }) =>
      type === 'TXT'
        ? {
            flags: AA | RA,
            answers: Array.from({ length: 4 }, (_, index) => ({ type, name, data: [text, index.toString()] })),
          }
        : {
            answers: Array.from({ length: 4 }, (_, index) => ({
              type: 'NS',
              name,
              data: `${'x'.repeat(60)}.${index}`,
            })),
          },
  );
  const bytes = Buffer.byteLength(JSON.stringify(outcome.check_metadata));
  assert.ok(bytes <= 32 * 1024, bytes.toString());
  assert.is(outcome.check_metadata.truncated, true);
  assert.is(outcome.check_metadata.answers.length, 4);
  assert.ok((outcome.error_message ?? '').length <= 400);
});

runs.run();

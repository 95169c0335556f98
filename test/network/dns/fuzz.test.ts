import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decode, encode, type Answer } from 'dns-packet';
import { MalformedDnsMessage } from '../../../network/dns/malformed.ts';
import { encodeName } from '../../../network/dns/names.ts';
import { readMessageHeader, readMessage } from '../../../network/dns/read-message.ts';
import { deliver, delivery, fuzz, spoiled, type Random } from '../../probes/fuzz.ts';
import { createAuthority, hasOpenssl } from '../../probes/web/certificates.ts';
import { closeServers, rawServer, rawTlsServer } from '../../probes/web/servers.ts';
import { queryServersAt } from './querying.ts';
import { closeUdpServers, framed, httpsServer, onBoth, responseTo, udpServer } from './servers.ts';

const fuzzing = suite('a DNS client against servers that send anything');

fuzzing.after.each(async () => {
  await closeUdpServers();
  await closeServers();
});

const authority = hasOpenssl() ? createAuthority() : null;
fuzzing.after(() => authority?.close());
const certificate = authority?.make('fuzzed', { names: 'IP:127.0.0.1' });
const trust = authority ? [authority.root] : [];
if (!certificate) console.log('  skipped: openssl is not installed, so nothing is said over TLS');

const RECORDS: readonly Answer[] = [
  { type: 'A', name: 'www.example.test', data: '192.0.2.1' },
  { type: 'AAAA', name: 'www.example.test', data: '2001:db8::1' },
  { type: 'CNAME', name: 'www.example.test', data: 'a.b.c.test' },
  { type: 'TXT', name: 'www.example.test', data: ['one', 'two'] },
  { type: 'MX', name: 'www.example.test', data: { preference: 1, exchange: 'mx.test' } },
  { type: 'SOA', name: 'test', data: { mname: 'a.test', rname: 'b.test', serial: 1 } },
  { type: 'CAA', name: 'www.example.test', data: { flags: 0, tag: 'issue', value: 'ca.test' } },
  { type: 'SRV', name: 'www.example.test', data: { port: 1, target: 'srv.test' } },
  { type: 'DS', name: 'test', data: { keyTag: 1, algorithm: 1, digestType: 1, digest: Buffer.alloc(20) } },
];

const somethingOf = (query: Buffer, random: Random): Buffer => {
  const some = (): Answer[] => Array.from({ length: random.below(5) }, () => random.pick(RECORDS));
  return responseTo(query, { answers: some(), authorities: some(), additionals: some() });
};

/** Returns a garbled response, sometimes with an intact header. */
const anything = (query: Buffer, random: Random): Buffer => {
  const good = somethingOf(query, random);
  let bytes: Buffer = good;
  for (let times = random.below(4); times > 0; times--) bytes = spoiled(bytes, random);
  if (random.oneIn(2) && bytes.length > 12) bytes = Buffer.concat([good.subarray(0, 12), bytes.subarray(12)]);
  for (let times = random.below(6); times > 0 && bytes.length > 12; times--)
    bytes[12 + random.below(bytes.length - 12)] = random.pick([0, 1, 0xc0, 0xff, 63, random.below(256)]);
  return bytes;
};

const QUERY = encode({ type: 'query', id: 1, questions: [{ type: 'A', name: 'www.example.test' }] });

fuzzing('any bytes are parsed as a DNS message or rejected with a reason, in little memory', () =>
  fuzz('messages', 30_000, async (random, note) => {
    const bytes = anything(QUERY, random);
    note(bytes.toString('hex').slice(0, 2_000));
    const head = readMessageHeader(bytes);
    if (!head) return;
    try {
      const { answers, authorities, additionals } = readMessage(bytes, head);
      assert.ok(answers.length + authorities.length + additionals.length <= bytes.length / 11);
      // Every parsed name can be encoded again.
      for (const { name } of answers) assert.ok(encodeName(name) !== null, name);
    } catch (error) {
      if (!(error instanceof MalformedDnsMessage)) throw error;
      assert.match(error.message, /^[ -~]{5,200}$/);
    }
  }),
);

fuzzing('DNS messages written by dns-packet are parsed to the same records', () =>
  fuzz('messages as written', 3_000, async (random) => {
    const bytes = somethingOf(QUERY, random);
    const head = readMessageHeader(bytes);
    assert.ok(head);
    const { answers, authorities } = readMessage(bytes, head);
    const referee = decode(bytes);
    assert.equal(
      [answers, authorities].map((records) => records.map(({ name, type }) => [name, type])),
      [referee.answers, referee.authorities].map((records) => records?.map(({ name, type }) => [name, type])),
    );
  }),
);

/** Starts a server that sends garbled responses over a random transport. `text` is its entry in a list of servers. */
const someServer = async (random: Random): Promise<{ text: string; close: () => Promise<void> }> => {
  const respond = (query: Buffer): Buffer => anything(query, random);
  const kind = random.pick(certificate ? ['udp', 'udp', 'tcp', 'tls', 'h2', 'http/1.1'] : ['udp', 'tcp']);
  if (kind === 'udp') {
    const server = await udpServer((query) => Array.from({ length: random.below(3) }, () => respond(query)));
    return { text: `127.0.0.1:${server.port}`, close: server.close };
  }
  if (kind === 'h2' || kind === 'http/1.1') {
    const type = random.oneIn(5) ? 'text/html' : 'application/dns-message';
    const server = await httpsServer(
      certificate as NonNullable<typeof certificate>,
      (body, _, response, cut) => {
        const status = random.oneIn(5) ? random.pick([204, 302, 404, 500]) : 200;
        response.writeHead(status, { 'content-type': type });
        if (random.oneIn(4)) setTimeout(cut, random.below(3));
        response.end(status === 204 ? undefined : respond(body));
      },
      kind,
    );
    return { text: `https://127.0.0.1:${server.port}/dns-query`, close: server.close };
  }
  const talk = (socket: Parameters<typeof deliver>[1], wire = socket): void => {
    socket.once('data', (bytes: Buffer) => {
      const message = respond(bytes.subarray(2));
      const frame = random.oneIn(3) ? spoiled(framed(message), random) : framed(message);
      deliver(delivery(frame, random), socket, wire);
    });
    socket.resume();
  };
  if (kind === 'tls' && certificate) {
    const server = await rawTlsServer(certificate, talk);
    return { text: `tls://127.0.0.1:${server.port}`, close: server.close };
  }
  const { tcp, udp } = await onBoth(
    () => rawServer(talk),
    (query) => responseTo(query, { flags: 0x200 }),
  );
  return {
    text: `127.0.0.1:${tcp.port}`,
    close: async () => {
      await udp.close();
      await tcp.close();
    },
  };
};

fuzzing('queries to hostile servers end in time with a response or error messages', () =>
  fuzz('name servers', 1_000, async (random, note) => {
    const servers = await Promise.all(Array.from({ length: 1 + random.below(2) }, () => someServer(random)));
    note(servers.map(({ text }) => text).join(' '));
    try {
      const found = await queryServersAt(
        servers.map(({ text }) => text),
        { timeLimit: 150, trust },
      );
      note(JSON.stringify(found).slice(0, 500));
      if (!found.answered) assert.is(found.failures.length, servers.length);
      for (const { sentence } of found.failures) {
        assert.match(sentence, /^[^\r\n\0]{5,400}\.$/);
        assert.not.match(sentence, /undefined|\[object|\bUND_|assert/);
      }
    } finally {
      for (const server of servers) await server.close();
    }
  }),
);

fuzzing.run();

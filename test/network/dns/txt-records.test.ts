import type { Answer } from 'dns-packet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serversOfOperator, lookUpTxtRecords } from '../../../network/dns/txt-records.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { contextOf } from '../../probes/run-context.ts';
import {
  AA,
  answering,
  NXDOMAIN,
  RA,
  REFUSED,
  SERVFAIL,
  soa,
  zoneOf,
  type Response,
} from '../../probes/dns/zone-server.ts';
import { rawServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { closeUdpServers, onBoth, responseTo, udpServer } from './servers.ts';

const test = suite('looking up the TXT records of a name');
test.after.each(closeUdpServers);

const text = (name: string, ...data: (string | Buffer)[]): Answer => ({ type: 'TXT', name, ttl: 60, data });
const alias = (name: string, data: string): Answer => ({ type: 'CNAME', name, ttl: 60, data });

const lookUp = (name: string, servers: readonly string[]) =>
  lookUpTxtRecords(name, async () => serversOfOperator(servers), contextOf({}));
/** Adds the length prefix that a message has over TCP. */
const streamed = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]);
/** Looks up a name at a single server with this response. */
const found = async (name: string, response: Response | null) =>
  lookUp(name, [(await answering(() => response)).address]);

test('the strings of a TXT record are joined', async () => {
  const [half, other] = ['a'.repeat(255), 'b'.repeat(255)];
  const answers = [text('x.example', half, other, ''), text('X.Example', 'v=spf1 -all'), text('x.example', 'ü')];
  assert.equal(await found('x.example', { answers }), { known: true, texts: [half + other, 'v=spf1 -all', 'ü'] });
});

test('TXT look-ups find no records if the server responds that the name or the record does not exist', async () => {
  const authorities = [soa('example')];
  assert.equal(await found('x.example', { rcode: NXDOMAIN, authorities }), { known: true, texts: [] });
  assert.equal(await found('x.example', { authorities }), { known: true, texts: [] });
  assert.equal(await found('x.example', {}), { known: true, texts: [] });
});

test('TXT look-ups follow aliases within a response and with further queries', async () => {
  const records = [alias('x.example', 'y.example'), alias('y.example', 'z.example'), text('z.example', 'here')];
  const whole = await answering(zoneOf('example', records));
  assert.equal(await lookUp('x.example', [whole.address]), { known: true, texts: ['here'] });
  // Each response contains one alias, without records of its target.
  const step = await answering(({ name }) => ({ answers: records.filter((record) => record.name === name) }));
  assert.equal(await lookUp('x.example', [step.address]), { known: true, texts: ['here'] });
  assert.equal(step.questions, ['x.example TXT', 'y.example TXT', 'z.example TXT']);
});

test('TXT look-ups find no records if an alias leads to a missing name, and have no result if aliases are endless', async () => {
  const dangling = [alias('x.example', 'gone.example')];
  const none = { known: true, texts: [] };
  assert.equal(await found('x.example', { rcode: NXDOMAIN, answers: dangling, authorities: [soa('example')] }), none);
  assert.equal(await found('x.example', { answers: dangling, authorities: [soa('example')] }), none);
  const loop = await answering(zoneOf('example', [alias('x.example', 'y.example'), alias('y.example', 'x.example')]));
  assert.equal(await lookUp('x.example', [loop.address]), {
    known: false,
    reason: 'The aliases of x.example have no end.',
  });
});

test('TXT look-ups have no result if servers fail, refuse, only return referrals or are unreachable', async () => {
  const failing = await answering(() => ({ rcode: SERVFAIL }));
  assert.equal(await lookUp('x.example', [failing.address]), {
    known: false,
    reason: 'The name servers answer SERVFAIL for x.example.',
  });
  const refusing = await found('x.example', { rcode: REFUSED });
  assert.ok(!refusing.known && refusing.reason.includes('REFUSED'));
  const referring = await found('x.example', {
    flags: 0,
    authorities: [{ type: 'NS', name: 'example', ttl: 60, data: 'ns.example' }],
  });
  assert.ok(!referring.known && referring.reason.includes('only refer to others'));
  const closed = await lookUp('x.example', [`127.0.0.1:${await freePort()}`]);
  assert.ok(!closed.known && closed.reason === 'The name servers gave no answer for x.example.');
  assert.not((await lookUp('x.example', [])).known);
});

test('TXT look-ups query the next server if the previous server can’t answer', async () => {
  const failing = await answering(() => ({ rcode: SERVFAIL }));
  const knowing = await answering(() => ({ answers: [text('x.example', 'here')] }));
  const answer = await lookUp('x.example', [failing.address, knowing.address]);
  assert.equal(answer, { known: true, texts: ['here'] });
});

test('TXT look-ups have no result if a server is silent or sends unreadable data', async () => {
  const silent = await lookUp('x.example', [(await answering(() => null)).address]);
  assert.ok(!silent.known && silent.reason === 'The name servers gave no answer for x.example.');
  const garbled = await udpServer((query) =>
    Buffer.concat([query.subarray(0, 2), Buffer.from('8180'.repeat(100), 'hex')]),
  );
  assert.not((await lookUp('x.example', [`127.0.0.1:${garbled.port}`])).known);
});

test('TXT look-ups accept the longest possible responses over TCP', async () => {
  const answers = Array.from({ length: 220 }, () => text('x.example', 'a'.repeat(255)));
  const { tcp, udp } = await onBoth(
    () =>
      rawServer((socket) => {
        socket.on('data', (query: Buffer) =>
          socket.end(streamed(responseTo(query.subarray(2), { flags: AA | RA, answers }))),
        );
      }),
    (query) => responseTo(query, { flags: AA | RA | 0x200 }),
  );
  const answer = await lookUp('x.example', [`127.0.0.1:${udp.port}`]);
  assert.ok(answer.known && answer.texts.length === 220);
  await tcp.close();
});

test('TXT look-ups of invalid names find no records, and failures of this machine are thrown', async () => {
  assert.equal(await lookUp('a..b', ['127.0.0.1']), { known: false, reason: 'a..b is not a domain name.' });
  const servers = () => Promise.reject(new LocalFailure('The list is unreadable.'));
  assert.equal(await lookUpTxtRecords('x.example', servers, contextOf({})), {
    known: false,
    reason: "Name servers can't be asked at present.",
  });
});

test.run();

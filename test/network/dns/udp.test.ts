import { createSocket } from 'node:dgram';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decode } from 'dns-packet';
import { freePort } from '../../servers/ports.ts';
import { answered, queryServersAt, refused } from './querying.ts';
import { address, closeUdpServers, responseTo, udpServer, type UdpResponder } from './servers.ts';
import { eventually } from '../../waiting.ts';

const udp = suite('DNS queries over UDP');
udp.after.each(closeUdpServers);

const GOOD = address('192.0.2.1');
const saysGood: UdpResponder = (query) => responseTo(query, { answers: [GOOD] });
const silent: UdpResponder = () => undefined;

const at = ({ port }: { port: number }): string => `127.0.0.1:${port}`;
const MATCHES_NOT = 'that came from there does not match the question.';

udp('dns-packet can parse a query, which uses EDNS and sets no flags of responses', async () => {
  const server = await udpServer(saysGood);
  await answered([at(server)], { name: 'WWW.Example.Test.' });
  const query = decode(server.queries[0] as Buffer);
  assert.equal(query.questions, [{ name: 'WWW.Example.Test', type: 'A', class: 'IN' }]);
  assert.equal([query.flag_rd, query.flag_ad, query.flag_cd], [true, true, false]);
  const [opt] = query.additionals ?? [];
  assert.ok(opt?.type === 'OPT');
  assert.equal([opt.udpPayloadSize, opt.flag_do], [1_232, false]);
});

udp('the system chooses the source address of a query', async () => {
  const server = await udpServer(saysGood, { host: '127.0.0.2' });
  await answered([`127.0.0.2:${server.port}`]);
  // The client must not bind its socket to the loopback address of the server, because such a socket could not reach
  // other machines.
  assert.is(server.from[0]?.address, '127.0.0.1');
});

udp('a query can request DNSSEC records, disable validation, or disable recursion', async () => {
  const server = await udpServer(saysGood);
  await answered([at(server)], { dnssec: true, checkingDisabled: true, recursion: false });
  const query = decode(server.queries[0] as Buffer);
  const [opt] = query.additionals ?? [];
  assert.equal([query.flag_rd, query.flag_cd, opt?.type === 'OPT' && opt.flag_do], [false, true, true]);
});

udp(
  'names with non-ASCII characters are queried in their IDNA form, and escaped bytes in names are accepted',
  async () => {
    const server = await udpServer((query) => responseTo(query));
    await answered([at(server)], { name: '_x.bücher.example' });
    assert.is(decode(server.queries[0] as Buffer).questions?.[0]?.name, '_x.xn--bcher-kva.example');
    await answered([at(server)], { name: 'a\\.b\\032c.example', type: 'PTR', timeLimit: 100 }).catch(() => undefined);
    const second = await eventually(() => server.queries[1]);
    assert.is(second.subarray(12, 20).toString('latin1'), '\x05a.b c\x07e');
  },
);

udp('an invalid name is rejected without a query', async () => {
  for (const name of ['', 'a..b', '.a', `${'x'.repeat(64)}.test`, `${'a.'.repeat(128)}test`, 'a\\', '\\256.test']) {
    try {
      await queryServersAt(['127.0.0.1:9'], { name });
      assert.unreachable();
    } catch (error) {
      assert.is((error as Error).message, `${name} is not a domain name.`);
    }
  }
});

udp('each query has a new id and a new port', async () => {
  const server = await udpServer(saysGood);
  for (let time = 0; time < 20; time++) await answered([at(server)]);
  assert.ok(new Set(server.queries.map((query) => query.readUInt16BE())).size > 15);
  assert.ok(new Set(server.from.map(({ port }) => port)).size > 15);
});

udp('a query can be sent over IPv6', async () => {
  const server = await udpServer(saysGood, { host: '::1' });
  const found = await answered([`[::1]:${server.port}`]);
  assert.equal([found.peer, found.transport], [`[::1]:${server.port}`, 'udp']);
});

udp('messages with another id or question, and messages that are queries, are ignored', async () => {
  const spoiled: UdpResponder = (query, from, socket) => {
    const good = responseTo(query, { answers: [GOOD] });
    const otherId = Buffer.from(good);
    otherId.writeUInt16BE(good.readUInt16BE() ^ 1);
    const otherName = Buffer.from(good);
    otherName.write('xxx', 13);
    const otherType = Buffer.from(good);
    otherType.writeUInt16BE(28, 12 + 'www.example.test'.length + 2);
    const noQuestion = Buffer.from(good);
    noQuestion.writeUInt16BE(0, 4);
    for (const bytes of [otherId, otherName, otherType, query, noQuestion, Buffer.of(), Buffer.of(1, 2, 3)])
      socket.send(bytes, from.port, from.address);
    return undefined;
  };
  const server = await udpServer(spoiled);
  const [[reason, sentence] = []] = await refused([at(server)], { timeLimit: 1_000 });
  assert.is(reason, 'timeout');
  assert.is(
    sentence,
    'No answer from 127.0.0.1:port over UDP: 7 messages that came from there do not match the question.',
  );
});

udp('a valid response is accepted after forged responses', async () => {
  const server = await udpServer((query) => {
    const forged = responseTo(query, { answers: [address('192.0.2.66')] });
    forged.writeUInt16BE(forged.readUInt16BE() ^ 0x8000);
    return [forged, responseTo(query, { answers: [GOOD] })];
  });
  const { message } = await answered([at(server)]);
  assert.equal(message.answers, [{ ...GOOD, class: 1 }]);
});

udp('a response from another address or port is ignored, even if everything else matches', async () => {
  const elsewhere = createSocket('udp4');
  await new Promise<void>((bound) => elsewhere.bind(0, '127.0.0.2', bound));
  const server = await udpServer((query, from) => {
    elsewhere.send(responseTo(query, { answers: [address('192.0.2.66')] }), from.port, from.address);
    return undefined;
  });
  const [[, sentence] = []] = await refused([at(server)], { timeLimit: 300 });
  elsewhere.close();
  assert.is(sentence, 'No answer from 127.0.0.1:port over UDP.');
});

udp('a response is accepted if it repeats the queried name in another case', async () => {
  const server = await udpServer((query) => {
    const bytes = responseTo(query, { answers: [GOOD] });
    bytes.write('wWw', 13);
    return bytes;
  });
  assert.is((await answered([at(server)])).message.rcode, 'NOERROR');
});

udp('a query is repeated if there is no response, and a late response to the first query is accepted', async () => {
  let count = 0;
  const forgetful = await udpServer((query) => (++count === 1 ? undefined : responseTo(query, { answers: [GOOD] })));
  assert.is((await answered([at(forgetful)])).message.answers.length, 1);
  const slow = await udpServer((query, from, socket) => {
    if (slow.queries.length === 1)
      setTimeout(() => {
        socket.send(responseTo(query, { answers: [GOOD] }), from.port, from.address);
      }, 1_300);
    return undefined;
  });
  const { time } = await answered([at(slow)]);
  assert.ok(time >= 1_299, time.toString());
  assert.is(slow.queries.length, 2);
});

udp(
  'the next server is queried if the previous server is silent, refuses, sends invalid data or is not allowed',
  async () => {
    const mute = await udpServer(silent);
    const closed = `127.0.0.1:${await freePort()}`;
    const nonsense = await udpServer((query) => {
      const bytes = responseTo(query, { answers: [GOOD] });
      return bytes.subarray(0, bytes.length - 1);
    });
    const good = await udpServer(saysGood);
    const list = [at(mute), closed, at(nonsense), '169.254.1.1', 'nowhere.test', at(good)];
    const { server, failures } = await answered(list);
    assert.is(server.text, at(good));
    assert.equal(
      failures.map(({ reason, sentence }) => [reason, sentence.replaceAll(/:\d+/g, ':port')]),
      [
        ['timeout', 'No answer from 127.0.0.1:port over UDP.'],
        ['connect', 'Connection refused by 127.0.0.1:port over UDP.'],
        ['protocol', 'The answer of 127.0.0.1:port is malformed: a record is cut off.'],
        ['target', 'The target policy does not allow 169.254.1.1 (link-local).'],
        ['lookup', 'The host name nowhere.test was not found.'],
      ],
    );
  },
);

udp('all servers are queried even if the time limit is short', async () => {
  const mute = await udpServer(silent);
  const good = await udpServer(saysGood);
  const { server } = await answered([at(mute), at(mute), at(mute), at(good)], { timeLimit: 2_000 });
  assert.is(server.text, at(good));
});

udp('all addresses of a named server are tried, and the target policy applies to each of them', async () => {
  const mute = await udpServer(silent, { host: '127.0.0.3' });
  const { port } = mute;
  const good = await udpServer(saysGood, { host: '127.0.0.4', port });
  const list = [`ns.test:${port}`];
  const { peer } = await answered(list, { hosts: { 'ns.test': ['127.0.0.2', '127.0.0.3', '127.0.0.4'] } });
  assert.is(peer, `127.0.0.4:${port}`);
  assert.is(good.queries.length, 1);
  const rules = { policy: 'public' as const };
  assert.equal(await refused(list, { hosts: { 'ns.test': ['127.0.0.4'] }, rules }), [
    ['target', 'The target policy does not allow ns.test at 127.0.0.4 (loopback).'],
  ]);
  assert.is(good.queries.length, 1);
});

for (const [name, rcode] of [
  ['FORMERR', 1],
  ['NOTIMP', 4],
] as const) {
  udp(`a query is repeated without EDNS if the server responds with ${name}`, async () => {
    const server = await udpServer((query) =>
      (decode(query).additionals ?? []).length > 0
        ? responseTo(query, { rcode })
        : responseTo(query, { answers: [GOOD] }),
    );
    assert.is((await answered([at(server)])).message.rcode, 'NOERROR');
    assert.is(server.queries.length, 2);
    assert.not.equal(server.queries[0]?.readUInt16BE(), server.queries[1]?.readUInt16BE());
  });
}

const withOpt = (extendedRcode: number, options: object[] = []) => ({
  type: 'OPT' as const,
  name: '.' as const,
  udpPayloadSize: 1_232,
  extendedRcode,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: options as never,
});

udp('a query is repeated without EDNS if the server does not support the EDNS version', async () => {
  const server = await udpServer((query) =>
    (decode(query).additionals ?? []).length > 0
      ? responseTo(query, { additionals: [withOpt(1)] })
      : responseTo(query, { answers: [GOOD] }),
  );
  assert.is((await answered([at(server)])).message.rcode, 'NOERROR');
});

udp('a FORMERR response is accepted even if it does not repeat the question', async () => {
  const server = await udpServer((query) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16BE(query.readUInt16BE());
    bytes.writeUInt16BE(0x8001, 2);
    return bytes;
  });
  assert.is((await answered([at(server)])).message.rcode, 'FORMERR');
});

udp('the text of an extended error is reported on one line', async () => {
  const data = Buffer.concat([Buffer.of(0, 6), Buffer.from('no\r\nsignature\0')]);
  const server = await udpServer((query) =>
    responseTo(query, { rcode: 2, additionals: [withOpt(0, [{ code: 15, data }])] }),
  );
  const { message } = await answered([at(server)]);
  assert.equal([message.rcode, message.extendedErrors], ['SERVFAIL', [{ code: 6, text: 'no signature' }]]);
  assert.equal(message.additionals, []);
});

udp('a query ends when its signal aborts', async () => {
  const server = await udpServer(silent);
  const ending = new AbortController();
  const found = queryServersAt([at(server)], { signal: ending.signal });
  setTimeout(() => {
    ending.abort(new Error('over'));
  }, 20);
  try {
    await found;
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, 'over');
  }
});

udp('the error message has a singular form for a single message that does not match', async () => {
  const server = await udpServer((query) => query);
  const [[, sentence] = []] = await refused([at(server)], { timeLimit: 1_000 });
  assert.is(sentence, `No answer from 127.0.0.1:port over UDP: a message ${MATCHES_NOT}`);
});

udp.run();

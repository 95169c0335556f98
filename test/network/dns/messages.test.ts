import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encode, type Answer } from 'dns-packet';
import { MalformedDnsMessage } from '../../../network/dns/malformed.ts';
import type { DnsMessage } from '../../../network/dns/message.ts';
import { encodeName } from '../../../network/dns/names.ts';
import { readMessageHeader, readMessage, type DnsMessageHeader } from '../../../network/dns/read-message.ts';

const messages = suite('parsing a DNS message');

const read = (bytes: Buffer): DnsMessage => readMessage(bytes, readMessageHeader(bytes) as DnsMessageHeader);

/** Records for dns-packet to encode, each with the data that our parser must return. */
const WRITTEN: readonly [Answer, unknown][] = [
  [{ type: 'A', name: 'a.test', data: '192.0.2.1' }, '192.0.2.1'],
  [{ type: 'AAAA', name: 'a.test', data: '2001:db8::1' }, '2001:db8::1'],
  [{ type: 'CNAME', name: 'a.test', data: 'B.test' }, 'B.test'],
  [{ type: 'DNAME', name: 'a.test', data: 'b.test' }, 'b.test'],
  [{ type: 'NS', name: 'a.test', data: 'ns.test' }, 'ns.test'],
  [{ type: 'PTR', name: 'a.test', data: 'b.test' }, 'b.test'],
  [
    { type: 'CAA', name: 'a.test', data: { flags: 128, tag: 'issue', value: 'ca.test; a=b' } },
    { flags: 128, tag: Buffer.from('issue'), value: Buffer.from('ca.test; a=b') },
  ],
  [
    { type: 'DNSKEY', name: 'a.test', data: { flags: 257, algorithm: 13, key: Buffer.from('key') } },
    { flags: 257, protocol: 3, algorithm: 13, key: Buffer.from('key') },
  ],
  [
    { type: 'DS', name: 'a.test', data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.from('digest') } },
    { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.from('digest') },
  ],
  [
    { type: 'MX', name: 'a.test', data: { preference: 10, exchange: 'mx.test' } },
    { preference: 10, exchange: 'mx.test' },
  ],
  [
    {
      type: 'NAPTR',
      name: 'a.test',
      data: { order: 1, preference: 2, flags: 'S', services: 'SIP+D2U', regexp: '!a!b!', replacement: 'sip.test' },
    },
    {
      order: 1,
      preference: 2,
      flags: Buffer.from('S'),
      services: Buffer.from('SIP+D2U'),
      regexp: Buffer.from('!a!b!'),
      replacement: 'sip.test',
    },
  ],
  [
    {
      type: 'SOA',
      name: 'a.test',
      data: { mname: 'ns.test', rname: 'root.test', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
    },
    { mname: 'ns.test', rname: 'root.test', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
  ],
  [
    { type: 'SRV', name: 'a.test', data: { priority: 1, weight: 2, port: 3, target: 'srv.test' } },
    { priority: 1, weight: 2, port: 3, target: 'srv.test' },
  ],
  [
    { type: 'SSHFP', name: 'a.test', data: { algorithm: 4, hash: 2, fingerprint: 'ab'.repeat(32) } },
    { algorithm: 4, hash: 2, fingerprint: Buffer.alloc(32, 0xab) },
  ],
  [
    { type: 'TLSA', name: 'a.test', data: { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('x') } },
    { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('x') },
  ],
  [{ type: 'TXT', name: 'a.test', data: ['one', Buffer.of(0, 255)] }, [Buffer.from('one'), Buffer.of(0, 255)]],
];

for (const [answer, data] of WRITTEN) {
  messages(`a ${answer.type} record that dns-packet has encoded is parsed`, () => {
    const bytes = encode({ type: 'response', answers: [{ ttl: 60, ...answer } as Answer] });
    assert.equal(read(bytes).answers, [{ name: 'a.test', class: 1, ttl: 60, type: answer.type, data }]);
  });
}

const QUESTION = Buffer.concat([encodeName('a.test') as Buffer, Buffer.of(0, 1, 0, 1)]);

/** Encodes a response with one question, and a record for each given type and data. Owner names are compressed. */
const withRecords = (...records: readonly (readonly [type: number, data: Buffer])[]): Buffer => {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([
    head,
    QUESTION,
    ...records.flatMap(([type, data]) => [
      Buffer.of(0xc0, 12, type >> 8, type & 0xff, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 0xff),
      data,
    ]),
  ]);
};
/** The offset of the first record's data in bytes. */
const DATA_AT = 12 + QUESTION.length + 12;

const dataOf = (type: number, data: Buffer): unknown => read(withRecords([type, data])).answers[0]?.data;
const refusal = (bytes: Buffer): string => {
  try {
    read(bytes);
    return 'none';
  } catch (error) {
    if (!(error instanceof MalformedDnsMessage)) throw error;
    return error.message;
  }
};

const SVCB = 64;
const HTTPS = 65;

messages('HTTPS and SVCB records of a DNS message are parsed (RFC 9460)', () => {
  const alias = Buffer.concat([Buffer.of(0, 0), encodeName('svc.test') as Buffer]);
  assert.equal(dataOf(SVCB, alias), { priority: 0, target: 'svc.test', params: [] });
  const alpn = Buffer.from('\x02h2');
  const service = Buffer.concat([Buffer.of(0, 1, 0), Buffer.of(0, 1, 0, 3), alpn, Buffer.of(0, 3, 0, 2, 1, 0xbb)]);
  assert.equal(dataOf(HTTPS, service), {
    priority: 1,
    target: '.',
    params: [
      { key: 1, value: alpn },
      { key: 3, value: Buffer.of(1, 0xbb) },
    ],
  });
  const twice = Buffer.concat([Buffer.of(0, 1, 0), Buffer.of(0, 3, 0, 0, 0, 3, 0, 0)]);
  assert.match(refusal(withRecords([HTTPS, twice])), 'its parameters are not in ascending order');
  const cut = Buffer.concat([Buffer.of(0, 1, 0), Buffer.of(0, 3, 0, 2, 1)]);
  assert.match(refusal(withRecords([HTTPS, cut])), 'the data of its HTTPS record is invalid');
});

messages('unknown fingerprint algorithms, key protocols and record types in a DNS message are parsed', () => {
  assert.equal(dataOf(44, Buffer.of(6, 9, 1, 2, 3)), { algorithm: 6, hash: 9, fingerprint: Buffer.of(1, 2, 3) });
  assert.equal(dataOf(48, Buffer.of(1, 0, 9, 8, 7)), { flags: 256, protocol: 9, algorithm: 8, key: Buffer.of(7) });
  const [unknown] = read(withRecords([65_280, Buffer.of(1, 2)])).answers;
  assert.equal([unknown?.type, unknown?.data], ['TYPE65280', Buffer.of(1, 2)]);
});

messages('all bytes of names in a DNS message are preserved', () => {
  const name = Buffer.concat([Buffer.of(6), Buffer.from('a.b c\\'), Buffer.of(3, 0xc3, 0xbc, 0), Buffer.of(0)]);
  assert.is(dataOf(5, name), 'a\\.b\\032c\\\\.\\195\\188\\000');
  assert.equal(encodeName('a\\.b\\032c\\\\.\\195\\188\\000'), name);
});

messages('compressed names within record data are parsed, and so are pointers to pointers', () => {
  const pointer = Buffer.of(0xc0, 12);
  assert.is(dataOf(2, Buffer.concat([Buffer.from('\x02ns'), pointer])), 'ns.a.test');
  const second = withRecords([2, pointer], [2, Buffer.of(0xc0, DATA_AT)]);
  assert.equal(
    read(second).answers.map(({ data }) => data),
    ['a.test', 'a.test'],
  );
});

messages('a DNS message with 400 records in each section is parsed', () => {
  const answers: Answer[] = Array.from({ length: 400 }, (_, index) => ({
    type: 'MX',
    name: `host${index}.a.test`,
    data: { preference: index, exchange: 'mx.test' },
  }));
  const {
    answers: read1,
    authorities,
    additionals,
  } = read(encode({ type: 'response', answers, authorities: answers, additionals: answers }));
  assert.equal([read1.length, authorities.length, additionals.length], [400, 400, 400]);
});

messages('a DNS message is malformed if its names form a loop, point ahead or never end', () => {
  const ahead = 'a compressed name points to itself or ahead';
  assert.match(refusal(withRecords([5, Buffer.of(0xc0, DATA_AT)])), ahead);
  assert.match(refusal(withRecords([5, Buffer.of(0xc0, DATA_AT + 2, 0xc0, DATA_AT)])), ahead);
  const loop = Buffer.concat([Buffer.from('\x01a'), Buffer.of(0xc0, DATA_AT)]);
  assert.match(refusal(withRecords([5, loop])), ahead);
  const long = Buffer.concat([...Array.from({ length: 4 }, () => Buffer.alloc(64, 63)), Buffer.of(0)]);
  assert.match(refusal(withRecords([5, long])), 'longer than 255 bytes');
  assert.match(refusal(withRecords([5, Buffer.of(0x40, 0)])), 'a name has a label of an unknown kind');
});

messages('a name of up to 255 bytes in a DNS message is parsed', () => {
  const labels = [63, 63, 63, 61].map((size) => 'x'.repeat(size)).join('.');
  assert.is(dataOf(5, encodeName(labels) as Buffer), labels);
  assert.is(encodeName(`${labels}x`), null);
  assert.is(encodeName(`${labels}.`)?.length, 255);
});

const SHORT: readonly [number, Buffer][] = [
  [1, Buffer.of(192, 0, 2)],
  [1, Buffer.of(192, 0, 2, 1, 0)],
  [28, Buffer.alloc(15)],
  [28, Buffer.alloc(17)],
  [2, Buffer.of()],
  [6, Buffer.of(0, 0, 1)],
  [15, Buffer.of(0, 1)],
  [15, Buffer.of(0, 1, 0, 0)],
  [16, Buffer.of(5, 1)],
  [33, Buffer.of(0, 0, 0, 0, 0)],
  [35, Buffer.of(0, 0, 0, 0, 9, 1)],
  [43, Buffer.of(0, 1, 2)],
  [44, Buffer.of(1)],
  [48, Buffer.of(1, 0, 3)],
  [52, Buffer.of(1, 1)],
  [64, Buffer.of(0)],
  [257, Buffer.of(0, 9, 1)],
];

messages('a DNS message is malformed if the data of a record is too short or too long for its type', () => {
  for (const [type, data] of SHORT) {
    // The second record has enough bytes for a faulty parser that reads beyond the end of the first record.
    const bytes = withRecords([type, data], [16, Buffer.from('\x20'.repeat(33))]);
    assert.match(refusal(bytes), /^the data of its \w+ record /, `${type} ${data.toString('hex')}`);
  }
});

messages('a DNS message is malformed wherever it is cut off', () => {
  const bytes = withRecords(
    [15, Buffer.concat([Buffer.of(0, 1), encodeName('mx.test') as Buffer])],
    [1, Buffer.alloc(4)],
  );
  assert.is(refusal(bytes), 'none');
  for (let length = 12; length < bytes.length; length++)
    assert.not.equal(refusal(bytes.subarray(0, length)), 'none', length.toString());
});

messages('a DNS message that claims more records than it has is malformed', () => {
  const bytes = withRecords([1, Buffer.alloc(4)]);
  for (const count of [4, 6, 8, 10]) {
    const claiming = Buffer.from(bytes);
    claiming.writeUInt16BE(0xffff, count);
    assert.not.equal(refusal(claiming), 'none');
  }
});

messages('parsing a DNS message whose names refer to each other takes a few megabytes at most', () => {
  // A name that starts at any offset in these 255 bytes is long. The message has the maximum number of records.
  const name = Buffer.concat([Buffer.alloc(252, 1), Buffer.of(0)]);
  const record = (at: number): Buffer => Buffer.of(0xc0 | (at >> 8), at & 0xff, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0x8180, 2);
  const records: Buffer[] = [Buffer.concat([Buffer.of(0, 0xff, 0, 0, 1, 0, 0, 0, 0), Buffer.of(0, name.length), name])];
  for (let size = 300; size < 65_000; size += 12) records.push(record(24 + (records.length % 100)));
  head.writeUInt16BE(records.length, 6);
  const bytes = Buffer.concat([head, ...records]);
  const before = process.memoryUsage().heapUsed;
  refusal(bytes);
  assert.ok(process.memoryUsage().heapUsed - before < 8 * 1_024 * 1_024);
});

messages.run();

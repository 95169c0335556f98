import { decode, encode, type Answer } from 'dns-packet';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RECORD_TYPES } from '../../../domain/check/types/dns.ts';
import { TYPE_NUMBERS } from '../../../network/dns/types.ts';
import { assertExplained, fuzz, spoiled, type Random } from '../fuzz.ts';
import { responseTo, udpServer } from '../../network/dns/servers.ts';
import { probe } from './probing.ts';

const test = suite('dns checks of hostile servers');

const LABELS = ['a', 'B', 'www', '', 'x'.repeat(63), 'é', 'a.b', '\\', '"', '_sip', '\0', 'xn--a'];
const nameFrom = (random: Random): string =>
  Array.from({ length: random.below(4) + 1 }, () => random.pick(LABELS)).join('.') || '.';

/** Returns a record of any type, possibly with invalid data. */
const recordFrom = (random: Random, requested: string): Answer => {
  const name = random.pick([requested, requested, nameFrom(random)]);
  const other = random.pick([requested, nameFrom(random)]);
  const ttl = random.pick([0, 60, 0xffffffff]);
  switch (random.below(7)) {
    case 0:
      return { type: 'A', name, ttl, data: '192.0.2.1' };
    case 1:
      return { type: random.pick(['CNAME', 'DNAME', 'NS', 'PTR']), name, ttl, data: other };
    case 2:
      return {
        type: 'TXT',
        name,
        ttl,
        data: Array.from({ length: random.below(5) }, () => random.bytes(random.below(256))),
      };
    case 3:
      return { type: 'MX', name, ttl, data: { preference: random.below(65_536), exchange: other } };
    case 4:
      return { type: 'SOA', name: other, ttl, data: { mname: other, rname: name } };
    case 5: {
      const data = Buffer.from([0, 15, 0, 2, 0, random.below(30), ...random.bytes(random.below(300))]);
      return {
        type: 'OPT',
        name: '.',
        udpPayloadSize: 1,
        flags: 0,
        options: [{ code: 15, data: data.subarray(4) }],
      } as unknown as Answer;
    }
    default: {
      const type = `UNKNOWN_${TYPE_NUMBERS[random.pick(RECORD_TYPES)]}`;
      return { type, name, ttl, data: random.bytes(random.below(80)) } as unknown as Answer;
    }
  }
};

const FLAGS = [0x480, 0x80, 0, 0x400, 0x4a0, 0x280];

const answerFrom = (random: Random, query: Buffer, requested: string): Buffer => {
  const some = (most: number): Answer[] =>
    Array.from({ length: random.below(most) }, () => recordFrom(random, requested));
  const response = responseTo(query, {
    flags: random.pick(FLAGS),
    rcode: random.pick([0, 0, 0, 2, 3, 5, 9, 15]),
    answers: some(6),
    authorities: some(3),
    additionals: some(3),
  });
  // The header and the question are not changed, so that the check accepts the response.
  const unchangedLength = encode({ type: 'query', questions: [{ name: requested, type: 'A' }] }).length;
  return random.below(2) === 0
    ? response
    : Buffer.concat([
        response.subarray(0, unchangedLength),
        spoiled(response.subarray(unchangedLength), random),
      ]).subarray(0, 60_000);
};

test('dns checks of hostile servers end within the timeout with a sentence, and their metadata fits into 32 KiB', () =>
  fuzz('answers of name servers', 3_000, async (random, note) => {
    const server = await udpServer((query) => {
      const answer = answerFrom(random, query, decode(query).questions?.[0]?.name ?? '');
      note(answer.toString('hex'));
      return answer;
    });
    const host = random.pick(['a', 'www.a.b', 'B.x', 'xn--a']);
    const record_type = random.pick(RECORD_TYPES);
    const expected = Array.from({ length: random.below(3) }, () => random.bytes(random.below(60)).toString('latin1'));
    note(`${host} ${record_type} ${JSON.stringify(expected)}`);
    try {
      const outcome = await probe(host, {
        timeout: 0.3,
        parameters: {
          record_type,
          dns_servers: [`127.0.0.1:${server.port}`],
          expected_answers: expected,
          validation_mode: random.pick(['exact', 'contains_all']),
        },
      });
      assertExplained(outcome);
      assert.ok(Buffer.byteLength(JSON.stringify(outcome.check_metadata)) <= 32 * 1024);
    } finally {
      await server.close();
    }
  }));

test.run();

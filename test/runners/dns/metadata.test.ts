import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DnsMetadata } from '../../../domain/check/types/dns.ts';
import { compile } from '../../../http/routes/validate.ts';
import { fittedMetadata, MAX_METADATA_BYTES } from '../../../runners/dns/metadata.ts';

const metadata = suite('check_metadata of dns results');

const brokenIn = compile(DnsMetadata);
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const usual: DnsMetadata = {
  domain: 'www.example',
  query_name: 'www.example.',
  record_type: 'TXT',
  dns_servers: ['192.0.2.53'],
  dns_servers_used: '192.0.2.53',
  answered_by: '192.0.2.53:53',
  transport: 'tcp',
  rcode: 'NOERROR',
  authenticated_data: true,
  validation_failed: false,
  validation_mode: 'exact',
  authoritative_nameservers: ['ns1.example.', 'ns2.example.'],
  cname_chain: [{ name: 'www.example.', type: 'CNAME', target: 'web.example.' }],
  answers: Array.from({ length: 10 }, (_, index) => `${index.toString()}${'x'.repeat(2_000)}`),
  ttl: 60,
  expected_answers: ['x'],
  missing_answers: ['x'],
  unexpected_answers: [],
};

metadata('is left as it is where it fits', () => {
  assert.is(fittedMetadata(usual), usual);
});

const texts = (count: number, length: number, character: string): string[] =>
  Array.from({ length: count }, (_, index) => `${index.toString()}${character.repeat(length)}`);

/** All that a check and its servers can say at most; control characters take six bytes each. */
const NAME = '\\000'.repeat(250);
const worst: DnsMetadata = {
  ...usual,
  domain: '\x01'.repeat(255),
  query_name: NAME,
  dns_servers: texts(10, 254, '\x01'),
  dns_servers_used: texts(10, 254, '\x01').join(', '),
  authoritative_nameservers: texts(60, 1_000, '\\'),
  cname_chain: Array.from({ length: 64 }, () => ({ name: NAME, type: 'DNAME', target: NAME })),
  answers: texts(4_000, 60, '\\'),
  expected_answers: texts(100, 4_095, '\x01'),
  missing_answers: texts(100, 4_095, '\x01'),
  unexpected_answers: texts(4_000, 60, '\\'),
};

metadata('fits in the worst case, and says that it was cut', () => {
  const made = fittedMetadata(worst);
  assert.ok(sizeOf(made) <= MAX_METADATA_BYTES, sizeOf(made).toString());
  assert.is(brokenIn(made), null);
  assert.is(made.truncated, true);
  assert.equal([made.answers.length, made.missing_answers?.length, made.cname_chain.length], [10, 5, 5]);
});

metadata('keeps the answers where it is enough to cut what was expected', () => {
  const made = fittedMetadata({ ...usual, expected_answers: texts(100, 4_000, 'é'), missing_answers: [] });
  assert.equal(made.answers, usual.answers);
  assert.ok((made.expected_answers ?? []).every((text) => text.length <= 100 && text.endsWith('…')));
});

metadata.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DnsMetadata } from '../../../domain/check/types/dns.ts';
import { compile } from '../../../http/routes/validate.ts';
import { fitDnsMetadata, MAX_METADATA_BYTES } from '../../../probes/dns/metadata.ts';
import { texts, usual, worst } from './facts.ts';

const metadata = suite('check_metadata of dns results');

const brokenIn = compile(DnsMetadata);
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

metadata('dns metadata within its limit is unchanged', () => {
  assert.is(fitDnsMetadata(usual), usual);
});

metadata('dns metadata does not exceed its limit even in the worst case, and says that it was shortened', () => {
  const made = fitDnsMetadata(worst);
  assert.ok(sizeOf(made) <= MAX_METADATA_BYTES, sizeOf(made).toString());
  assert.is(brokenIn(made), null);
  assert.is(made.truncated, true);
  assert.equal([made.answers.length, made.missing_answers?.length, made.cname_chain.length], [10, 5, 5]);
});

metadata('dns metadata over its limit keeps all answers if shortening the expected answers suffices', () => {
  const made = fitDnsMetadata({ ...usual, expected_answers: texts(100, 4_000, 'é'), missing_answers: [] });
  assert.equal(made.answers, usual.answers);
  assert.ok((made.expected_answers ?? []).every((text) => text.length <= 100 && text.endsWith('…')));
});

metadata.run();

import { Value } from '@sinclair/typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SslMetadata } from '../../../domain/check/types/ssl.ts';
import { metadataOf } from '../../../probes/ssl/metadata.ts';
import { nothing, usual, worst } from './facts.ts';

const metadata = suite('check_metadata of ssl results');

const LIMIT = 32 * 1_024;
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const assertValid = (value: unknown): void => {
  const [error] = Value.Errors(SslMetadata, value);
  assert.is(error, undefined, `${error?.path ?? ''}: ${error?.message ?? ''}`);
};

metadata('ssl metadata of an unresponsive server has the same structure as that of other servers', () => {
  const made = metadataOf(nothing);
  assertValid(made);
  assert.is(made.checks.certificate_info, null);
  assert.equal(made.checks.protocol_support.tls_1_3, { supported: false, ciphers: [], server_preference: null });
  assert.is(made.truncated, undefined);
});

metadata('ssl metadata of an ordinary server is complete', () => {
  const made = metadataOf(usual);
  assertValid(made);
  assert.is(made.truncated, undefined);
  assert.ok(sizeOf(made) < 10_000, String(sizeOf(made)));
});

metadata('ssl metadata of the worst possible server fits into the limit', () => {
  const made = metadataOf(worst);
  assertValid(made);
  assert.is(made.truncated, true);
  assert.ok(sizeOf(made) <= LIMIT, String(sizeOf(made)));
  // The metadata still contains everything that the owner of the server has to change.
  assert.equal(made.deduction_summary, worst.rating?.deductions);
  assert.is(Object.keys(made.checks.vulnerabilities).length, 14);
  assert.ok(made.checks.weak_ciphers_found_details.length >= 20);
  assert.ok(made.checks.protocol_support.tls_1_2.ciphers.length >= 10);
  assert.is(made.checks.has_weak_ciphers, true);
});

metadata.run();

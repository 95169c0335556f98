import type { SslMetadata } from '../../domain/check/types/ssl.ts';
import type { Enumeration } from './enumeration.ts';
import { PROTOCOL_NAMES } from './wire/protocols.ts';

/**
 * Returns the facts that a run could not determine about a server that responds, each with a sentence.
 *
 * @param why the start of a sentence: `Time was up (10 s)`
 */
export const missingFacts = (
  { certificate, enumeration }: { certificate: unknown; enumeration: Enumeration | null },
  why: string,
): SslMetadata['missing'] => {
  const protocols = PROTOCOL_NAMES.map((name) => enumeration?.scan.protocols[name]);
  const parts: readonly (readonly [SslMetadata['missing'][number]['part'], boolean, string])[] = [
    ['certificate', !certificate, 'the certificate was known'],
    ['protocols', protocols.some((one) => !one?.supported && !one?.complete), 'all protocols were known'],
    ['ciphers', protocols.some((one) => !one?.complete), 'all cipher suites were known'],
    ['vulnerabilities', !enumeration?.vulnerabilities?.complete, 'the tests for vulnerabilities were done'],
  ];
  return parts.flatMap(([part, isMissing, what]) => (isMissing ? { part, details: `${why} before ${what}.` } : []));
};

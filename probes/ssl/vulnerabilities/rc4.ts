import type { ScanFacts } from '../scan/facts.ts';
import { PROTOCOL_NAMES } from '../wire/protocols.ts';
import { accepted, protocolsOf, suitesOf, unlessCutOff } from './evidence.ts';
import { safe, vulnerable, type VulnerabilityFinding } from './finding.ts';

const PROTOCOLS = PROTOCOL_NAMES.filter((name) => name !== 'tls_1_3');

/** Tests for RC4 (CVE-2013-2566, CVE-2015-2808), whose output is biased. RFC 7465 forbids RC4. */
export const rc4 = (facts: ScanFacts): VulnerabilityFinding => {
  const found = accepted(facts, PROTOCOLS, ({ cipher }) => cipher === 'RC4');
  if (found.length > 0)
    return vulnerable(
      `The server accepts RC4 (${suitesOf(found)}) with ${protocolsOf(found)}. An attacker can work out what ` +
        'is encrypted often, such as a cookie. Turn off all RC4 suites.',
    );
  return unlessCutOff(facts, PROTOCOLS, safe('The server accepts no RC4 suite.'));
};

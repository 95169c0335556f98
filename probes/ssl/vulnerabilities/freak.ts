import type { ScanFacts } from '../scan/facts.ts';
import { PROTOCOL_NAMES } from '../wire/protocols.ts';
import { accepted, protocolsOf, suitesOf, unlessCutOff } from './evidence.ts';
import { safe, vulnerable, type VulnerabilityFinding } from './finding.ts';

/** The protocols, without SSL 2.0, which drown.ts tests, and TLS 1.3, which has no export suites. */
const PROTOCOLS = PROTOCOL_NAMES.filter((name) => name !== 'ssl_2_0' && name !== 'tls_1_3');

/** Tests for FREAK (CVE-2015-0204): some clients accept a short RSA key that they did not request. */
export const freak = (facts: ScanFacts): VulnerabilityFinding => {
  const found = accepted(facts, PROTOCOLS, (suite) => suite.export && suite.exchange === 'RSA');
  if (found.length > 0)
    return vulnerable(
      `The server accepts RSA export suites (${suitesOf(found)}) with ${protocolsOf(found)}. Clients with the FREAK ` +
        'bug can be made to use short keys, which can be broken within hours. Turn off all export suites.',
    );
  return unlessCutOff(facts, PROTOCOLS, safe('The server accepts no RSA export suite.'));
};

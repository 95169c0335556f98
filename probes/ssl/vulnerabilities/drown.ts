import type { ScanFacts } from '../scan/facts.ts';
import { accepted, suitesOf, unlessCutOff } from './evidence.ts';
import { safe, vulnerable, type VulnerabilityFinding } from './finding.ts';

/**
 * Tests for DROWN (CVE-2016-0800): a server with SSL 2.0 helps attackers to decrypt recorded TLS connections that use
 * the same RSA key.
 */
export const drown = (facts: ScanFacts): VulnerabilityFinding => {
  const { supported } = facts.protocols.ssl_2_0;
  const weakened = accepted(facts, ['ssl_2_0'], (suite) => suite.export);
  if (supported)
    return vulnerable(
      (weakened.length > 0
        ? `The server speaks SSL 2.0 with export suites (${suitesOf(weakened)}), so an attacker can cheaply decrypt ` +
          'recorded TLS connections to every server with the same RSA key. '
        : 'The server speaks SSL 2.0, so an attacker can decrypt recorded TLS connections to every server with the ' +
          'same RSA key. ') + 'Turn off SSL 2.0 everywhere this key is in use, and replace the key.',
      weakened.length > 0 ? 'export_suites' : 'ssl_2_0',
    );
  return unlessCutOff(
    facts,
    ['ssl_2_0'],
    safe('The server does not speak SSL 2.0. This test cannot see whether another server with the same RSA key does.'),
  );
};

import type { ScanFacts } from '../scan/facts.ts';
import { accepted, suitesOf, unlessCutOff } from './evidence.ts';
import { safe, vulnerable, type VulnerabilityFinding } from './finding.ts';

/** Tests for POODLE (CVE-2014-3566): SSL 3.0 does not protect the padding of CBC suites. */
export const poodleSsl = (facts: ScanFacts): VulnerabilityFinding => {
  const found = accepted(facts, ['ssl_3_0'], ({ mode }) => mode === 'CBC');
  if (found.length > 0)
    return vulnerable(
      `The server speaks SSL 3.0 with CBC suites (${suitesOf(found)}), so an attacker in the middle can read ` +
        'cookies byte by byte. Turn off SSL 3.0.',
    );
  return unlessCutOff(
    facts,
    ['ssl_3_0'],
    safe(
      facts.protocols.ssl_3_0.supported
        ? 'The server speaks SSL 3.0, but without the CBC suites that the attack needs. Turn it off anyway.'
        : 'The server does not speak SSL 3.0.',
    ),
  );
};

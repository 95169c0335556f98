import type { ScanFacts } from '../scan/facts.ts';
import { accepted, protocolsOf, suitesOf, unlessCutOff } from './evidence.ts';
import { safe, vulnerable, type VulnerabilityFinding } from './finding.ts';

const PROTOCOLS = ['ssl_3_0', 'tls_1_0'] as const;

/** Tests for BEAST (CVE-2011-3389): up to TLS 1.0, CBC suites use the previous block, which attackers know, as IV. */
export const beast = (facts: ScanFacts): VulnerabilityFinding => {
  const found = accepted(facts, PROTOCOLS, ({ mode }) => mode === 'CBC');
  if (found.length > 0)
    return vulnerable(
      `The server accepts CBC suites (${suitesOf(found)}) with ${protocolsOf(found)}. Browsers have worked ` +
        'around this attack since 2012, but other programs may not. Turn off TLS 1.0 and everything older.',
    );
  return unlessCutOff(
    facts,
    PROTOCOLS,
    safe(
      PROTOCOLS.some((name) => facts.protocols[name].supported)
        ? 'The server accepts no CBC suite with SSL 3.0 or TLS 1.0.'
        : 'The server speaks neither SSL 3.0 nor TLS 1.0.',
    ),
  );
};

import type { ScanFacts } from '../scan/facts.ts';
import { PROTOCOL_NAMES } from '../wire/protocols.ts';
import { accepted, protocolsOf, suitesOf, unlessCutOff } from './evidence.ts';
import { safe, untested, vulnerable, type VulnerabilityFinding } from './finding.ts';
import { ownerOf } from './well-known-primes.ts';

const PROTOCOLS = PROTOCOL_NAMES.filter((name) => name !== 'ssl_2_0' && name !== 'tls_1_3');

/** Size of a Diffie-Hellman group that governments can break or soon will, in bits (https://weakdh.org). */
const WEAK = 1_024;

const ADVICE = 'Use ECDHE suites, or a group of at least 2,048 bits such as ffdhe2048 (RFC 7919).';

/**
 * Tests for Logjam (CVE-2015-4000): small Diffie-Hellman groups can be broken in advance, after which every connection
 * that uses the group can be decrypted.
 */
export const logjam = (facts: ScanFacts): VulnerabilityFinding => {
  const ephemeral = accepted(facts, PROTOCOLS, ({ exchange }) => exchange === 'DHE' || exchange === 'DH');
  const exported = ephemeral.filter(({ suite }) => suite.export);
  if (exported.length > 0)
    return vulnerable(
      `The server accepts Diffie-Hellman export suites (${suitesOf(exported)}) with ${protocolsOf(exported)}. An ` +
        'attacker in the middle can make clients use their 512-bit groups. Turn off all export suites. ' +
        ADVICE,
      'export_suites',
    );
  const [weakest] = [...facts.dhGroups].sort((one, other) => one.bits - other.bits);
  const bits = weakest?.bits.toLocaleString('en-US') ?? '';
  if (weakest && weakest.bits <= WEAK) {
    const owner = ownerOf(Buffer.from(weakest.prime, 'hex'));
    return owner === null
      ? vulnerable(`The server's Diffie-Hellman group has ${bits} bits, which is too few. ${ADVICE}`, 'weak_group')
      : vulnerable(
          `The server's Diffie-Hellman group has ${bits} bits and is that of ${owner}. Many servers share it, so it ` +
            `is worth breaking. ${ADVICE}`,
          'well_known_group',
        );
  }
  if (ephemeral.some(({ suite }) => suite.exchange === 'DHE') && !weakest)
    return untested('The server accepts Diffie-Hellman suites, but the scan could not find out which group it uses.');
  return unlessCutOff(
    facts,
    PROTOCOLS,
    safe(
      weakest
        ? `The server's smallest Diffie-Hellman group has ${bits} bits.`
        : 'The server accepts no Diffie-Hellman suite over a finite field.',
    ),
  );
};

import type { ScanFacts } from '../scan/facts.ts';
import { PROTOCOL_NAMES } from '../wire/protocols.ts';
import { accepted, protocolsOf, suitesOf, unlessCutOff } from './evidence.ts';
import { safe, vulnerable, type VulnerabilityFinding } from './finding.ts';

const PROTOCOLS = PROTOCOL_NAMES.filter((name) => name !== 'tls_1_3');

/** Ciphers with blocks of 64 bits. */
const SMALL_BLOCKS: ReadonlySet<string> = new Set(['3DES', 'DES', 'IDEA', 'RC2', 'GOST28147', 'MAGMA']);

/** Tests for SWEET32 (CVE-2016-2183): in long connections, 64-bit blocks repeat. */
export const sweet32 = (facts: ScanFacts): VulnerabilityFinding => {
  const found = accepted(facts, PROTOCOLS, ({ cipher, mode }) => SMALL_BLOCKS.has(cipher) && mode === 'CBC');
  if (found.length > 0)
    return vulnerable(
      `The server accepts ciphers with 64-bit blocks (${suitesOf(found)}) with ${protocolsOf(found)}. In a ` +
        'connection of several hundred gigabytes, an attacker can read cookies. Turn off 3DES, DES, IDEA and RC2.',
    );
  return unlessCutOff(facts, PROTOCOLS, safe('The server accepts no cipher with 64-bit blocks.'));
};

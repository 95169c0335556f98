import { PROTOCOL_NAMES, type ProtocolName } from '../wire/protocols.ts';
import type { Suite } from '../wire/suites.ts';
import { isAnonymous, SMALL_BLOCKS, type RatedServer } from './server.ts';

/** A suite that should be switched off, with the reasons. */
export interface WeakCipher {
  /** the IANA name */
  cipher: string;
  /** the protocols in which the suite is accepted */
  protocols: ProtocolName[];
  /** `RC4`, `no forward secrecy`, … */
  reasons: string[];
}

type Circumstances = Pick<RatedServer, 'protocols' | 'ephemeral'>;

/** Returns all weak suites without duplicates, ordered by protocol, then by the order of the server. */
export const weakCiphers = ({ protocols, ephemeral }: Circumstances): WeakCipher[] => {
  const found = new Map<string, WeakCipher>();
  for (const protocol of PROTOCOL_NAMES)
    for (const suite of protocols[protocol].suites) {
      if (suite.cipher === 'unknown') continue;
      const reasons = reasonsAgainst(suite, protocol, ephemeral.dh);
      if (reasons.length === 0) continue;
      const known = found.get(suite.name) ?? { cipher: suite.name, protocols: [], reasons: [] };
      known.protocols.push(protocol);
      known.reasons.push(...reasons.filter((reason) => !known.reasons.includes(reason)));
      found.set(suite.name, known);
    }
  return [...found.values()];
};

/** @param dh size of the server's Diffie-Hellman parameters, in bits; null if unknown */
const reasonsAgainst = (suite: Suite, protocol: ProtocolName, dh: number | null): string[] => {
  const { cipher, exchange, mode } = suite;
  const reasons: readonly (readonly [boolean, string])[] = [
    [cipher === 'NULL', 'NULL encryption'],
    [isAnonymous(suite), 'anonymous: no authentication'],
    [suite.export, 'export strength'],
    [cipher === 'RC4', 'RC4'],
    [SMALL_BLOCKS.has(cipher), cipher],
    [mode === 'CBC' && protocol === 'ssl_3_0', 'CBC with SSL 3.0'],
    [exchange === 'RSA', 'RSA key exchange'],
    [!suite.forwardSecrecy, 'no forward secrecy'],
    [exchange === 'DHE' && isSmall(dh), `${String(dh)}-bit Diffie-Hellman parameters`],
  ];
  return reasons.filter(([holds]) => holds).map(([, reason]) => reason);
};

const isSmall = (dh: number | null): boolean => dh !== null && dh < 2_048;

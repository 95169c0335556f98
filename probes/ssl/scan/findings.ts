import { group } from '../wire/groups.ts';
import type { ServerChoice } from '../wire/hello.ts';
import type { ServerKey } from '../wire/key-exchange.ts';
import { PROTOCOL_NAMES, type ProtocolName } from '../wire/protocols.ts';
import type { DhGroup, KeyFacts, ProtocolFacts, ScanFacts } from './facts.ts';

/** The facts about one protocol that are known so far. */
export type ProtocolFindings = { -readonly [K in keyof Omit<ProtocolFacts, 'suites' | 'keys'>]: ProtocolFacts[K] } & {
  suites: number[];
  keys: KeyFacts[];
};

/** Collects the results of the handshakes of a scan. */
export interface ScanFindings {
  of: (protocol: ProtocolName) => ProtocolFindings;
  /** Adds a server's choice of a suite. */
  chosen: (protocol: ProtocolName, chosen: ServerChoice) => void;
  /** Adds the certificates of a server (DER). */
  chain: (certificates: readonly Buffer[]) => void;
  facts: () => ScanFacts;
}

/**
 * Limits on the number of chains and their total size in bytes, as protection against hostile servers. An ordinary
 * server has one chain per kind of key.
 */
const MAX_CHAINS = 4;
const MAX_CHAINS_BYTES = 64 * 1024;
/** Maximum number of different Diffie-Hellman groups. Some servers create a new group for each handshake. */
const MAX_DH_GROUPS = 20;
/** Maximum size of a stored prime, in bytes. This is larger than any prime in use. */
const MAX_PRIME = 2_048;

const keyFacts = (suite: number, { key, group: ofTls13 }: ServerChoice): KeyFacts | null => {
  if (ofTls13 !== null) {
    const { name, bits } = group(ofTls13);
    return { suite, kind: name.startsWith('ffdhe') ? 'dh' : 'ecdh', bits, group: name };
  }
  if (!key) return null;
  switch (key.kind) {
    case 'ecdh':
      return { suite, kind: 'ecdh', bits: key.bits, group: key.name };
    case 'curve':
      return { suite, kind: 'ecdh', bits: key.bits, group: null };
    default:
      return { suite, kind: key.kind, bits: key.bits, group: null };
  }
};

const dhGroup = ({ bits, prime, generator }: ServerKey & { kind: 'dh' }): DhGroup => ({
  bits,
  prime: prime.toString('hex'),
  generator: generator.toString('hex'),
});

export const createScanFindings = (): ScanFindings => {
  const protocols = Object.fromEntries(
    PROTOCOL_NAMES.map((name): [ProtocolName, ProtocolFindings] => [
      name,
      { supported: false, complete: false, form: 'full', suites: [], serverPreference: null, keys: [], refusal: null },
    ]),
  ) as Record<ProtocolName, ProtocolFindings>;
  const chains = new Map<string, readonly string[]>();
  const dhGroups = new Map<string, DhGroup>();
  let chainsBytes = 0;

  const chain = (certificates: readonly Buffer[]): void => {
    const [leaf] = certificates;
    if (!leaf || chains.size >= MAX_CHAINS) return;
    const key = leaf.toString('base64');
    const size = certificates.reduce((sum, { length }) => sum + length, 0);
    if (chains.has(key) || chainsBytes + size > MAX_CHAINS_BYTES) return;
    chainsBytes += size;
    chains.set(
      key,
      certificates.map((certificate) => certificate.toString('base64')),
    );
  };

  return {
    of: (protocol) => protocols[protocol],
    chosen: (protocol, chosen) => {
      const { suite, certificates, key } = chosen;
      const { suites, keys } = protocols[protocol];
      if (certificates) chain(certificates);
      if (key?.kind === 'dh' && key.prime.length <= MAX_PRIME && dhGroups.size < MAX_DH_GROUPS) {
        const shown = dhGroup(key);
        dhGroups.set(shown.prime, shown);
      }
      if (suites.includes(suite)) return;
      suites.push(suite);
      const facts = keyFacts(suite, chosen);
      if (facts) keys.push(facts);
    },
    chain,
    facts: () => ({
      // Returns a copy, because the scan may continue.
      protocols: structuredClone(protocols),
      dhGroups: [...dhGroups.values()],
      chains: [...chains.values()],
      complete: PROTOCOL_NAMES.every((name) => protocols[name].complete),
    }),
  };
};

import type { ScanFacts } from '../scan/facts.ts';
import { PROTOCOL_NAMES, titleOf, type ProtocolName } from '../wire/protocols.ts';
import { suite, type Suite } from '../wire/suites.ts';
import { untested, type VulnerabilityFinding } from './finding.ts';

/** A suite that a server accepts with a protocol. */
export interface Accepted {
  protocol: ProtocolName;
  suite: Suite;
}

/** Returns the suites for which `isOfKind` is true and that a server accepts with one of the protocols. */
export const accepted = (
  { protocols }: ScanFacts,
  names: readonly ProtocolName[],
  isOfKind: (suite: Suite) => boolean,
): Accepted[] =>
  names.flatMap((protocol) =>
    protocols[protocol].suites
      .map(suite)
      .filter(isOfKind)
      .map((found) => ({ protocol, suite: found })),
  );

/**
 * Returns `finding` if the scan has examined all of the protocols completely. Otherwise returns a finding that says
 * that the test was not possible.
 */
export const unlessCutOff = (
  { protocols }: ScanFacts,
  names: readonly ProtocolName[],
  finding: VulnerabilityFinding,
): VulnerabilityFinding => {
  const cutOff = names.filter((name) => !protocols[name].complete);
  return cutOff.length === 0
    ? finding
    : untested(`The scan could not find everything that the server accepts with ${listed(cutOff.map(titleOf))}.`);
};

/** Lists protocols: `TLS 1.0 and TLS 1.1`. */
export const protocolsOf = (found: readonly Accepted[]): string =>
  listed(PROTOCOL_NAMES.filter((name) => found.some(({ protocol }) => protocol === name)).map(titleOf));

/** Maximum number of suites in a sentence. */
const SHOWN = 3;

/** Lists suites without duplicates: `A, B and 2 more`. */
export const suitesOf = (found: readonly Accepted[]): string => {
  const names = [...new Set(found.map(({ suite: { name } }) => name))];
  return names.length <= SHOWN
    ? listed(names)
    : `${names.slice(0, SHOWN - 1).join(', ')} and ${names.length - SHOWN + 1} more`;
};

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;

import { createDialer, targetOf, type Dialer } from '../../../../probes/ssl/dial.ts';
import type { ProtocolFacts, ScanFacts } from '../../../../probes/ssl/scan/facts.ts';
import type { VulnerabilityFindings } from '../../../../probes/ssl/vulnerabilities/finding.ts';
import { vulnerabilitiesOf, type VulnerabilityTests } from '../../../../probes/ssl/vulnerabilities/vulnerabilities.ts';
import { PROTOCOL_NAMES, type ProtocolName } from '../../../../probes/ssl/wire/protocols.ts';
import { contextOf } from '../../run-context.ts';

/** The number of TLS_RSA_WITH_AES_128_GCM_SHA256. */
export const RSA_SUITE = 0x009c;

/** Returns the facts of a server with these suites. The facts about the protocols in `cutOff` are incomplete. */
export const factsOf = (
  suites: Partial<Record<ProtocolName, readonly number[]>>,
  { cutOff = [], prime }: { cutOff?: readonly ProtocolName[]; prime?: { bits: number; prime: string } } = {},
): ScanFacts => {
  const protocol = (name: ProtocolName): ProtocolFacts => ({
    supported: suites[name] !== undefined,
    complete: !cutOff.includes(name),
    form: 'full',
    suites: suites[name] ?? [],
    serverPreference: null,
    keys: [],
    refusal: suites[name] ? null : { kind: 'closed' },
  });
  return {
    protocols: Object.fromEntries(PROTOCOL_NAMES.map((name) => [name, protocol(name)])) as ScanFacts['protocols'],
    dhGroups: prime ? [{ ...prime, generator: '02' }] : [],
    chains: [],
    complete: cutOff.length === 0,
  };
};

export interface TestedVulnerabilities extends VulnerabilityTests {
  /** number of opened connections */
  dialed: number;
}

/** Tests a server on this machine for vulnerabilities. */
export const vulnerabilitiesAt = async (
  port: number,
  facts: ScanFacts,
  signal = new AbortController().signal,
): Promise<TestedVulnerabilities> => {
  const context = contextOf({ signal });
  const dialer: Dialer = createDialer(await targetOf({ host: '127.0.0.1', port, starttls: 'none' }, context), context);
  return { ...(await vulnerabilitiesOf(dialer, facts, context)), dialed: dialer.dialed };
};

/** Returns a finding without its sentences. */
export const verdict = ({ vulnerable, tested, finding }: VulnerabilityFindings[keyof VulnerabilityFindings]): string =>
  !tested ? 'untested' : !vulnerable ? 'safe' : (finding ?? 'vulnerable');

export const verdicts = (findings: VulnerabilityFindings): Record<string, string> =>
  Object.fromEntries(Object.entries(findings).map(([name, finding]) => [name, verdict(finding)]));

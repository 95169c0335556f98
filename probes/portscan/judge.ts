import type { PortscanParameters } from '../../domain/check/types/portscan.ts';
import { DEFAULT_RISK_LEVEL } from '../../domain/check/types/portscan-risk.ts';
import { DEFAULT_HOST_TIMEOUT } from '../../domain/check/types/portscan-times.ts';
import type { Reason } from '../engine/check-type.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import { isAtLeast, type Vulnerability } from './vulnerabilities.ts';

/** The results of a scan that the check's assertions apply to. */
export interface PortscanFacts {
  open: ReadonlySet<number>;
  /** states of those ports that are not open and were scanned again */
  states: ReadonlyMap<number, string>;
  vulnerabilities: readonly Vulnerability[];
  /** whether every port was scanned */
  whole: boolean;
}

/** Maximum number of ports listed in a sentence. Further ports are only counted. */
const NAMED = 8;

const listed = (names: readonly string[]): string => {
  const shown = names.length > NAMED ? names.slice(0, NAMED - 1) : names;
  const rest = names.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  return all.length === 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
};

const sorted = (ports: Iterable<number>): number[] => [...new Set(ports)].sort((a, b) => a - b);

/** The words for a state, to follow "is". */
const STATES: Readonly<Record<string, string>> = {
  closed: 'closed',
  filtered: 'filtered: nothing answers, or a firewall refuses',
  'open|filtered': 'silent',
};

const is = (state: string | undefined): string => (state === undefined ? 'was not found open' : `is ${state}`);

/**
 * Returns the failure of a scan that violates assertions of its check; null if there is no violation. Users with the
 * role of a viewer read the sentence, so it names the ports, but not the services on them.
 */
export const judgePortscan = ({ open, states, vulnerabilities, whole }: PortscanFacts, asked: PortscanParameters) => {
  const { assertions = {}, host_timeout = DEFAULT_HOST_TIMEOUT } = asked;
  const { expected_open_ports: expected = [], only_expected_ports, fail_on_vulnerabilities } = assertions;
  const { min_risk_level: least = DEFAULT_RISK_LEVEL } = assertions;
  const broken: [Reason, string][] = [];

  const missing = sorted(expected).filter((port) => !open.has(port));
  const [first, second] = missing;
  const stateOf = (port: number): string | undefined => STATES[states.get(port) ?? ''];
  if (first !== undefined && second === undefined)
    broken.push(['ports', `Port ${first} should be open, but ${is(stateOf(first))}.`]);
  else if (first !== undefined) {
    const names = missing.map((port) => {
      const state = stateOf(port);
      return state === undefined ? port.toString() : `${port} (${state})`;
    });
    broken.push(['ports', `Ports ${listed(names)} should be open.`]);
  }

  const additional = only_expected_ports === true ? sorted(open).filter((port) => !expected.includes(port)) : [];
  if (additional.length > 0) {
    const [ports, are] = additional.length === 1 ? ['Port', 'is'] : ['Ports', 'are'];
    broken.push(['ports', `${ports} ${listed(additional.map(String))} ${are} open, but should not be.`]);
  }

  const risky = sorted(
    fail_on_vulnerabilities === true
      ? vulnerabilities.flatMap(({ port, risk_level }) => (isAtLeast(risk_level, least) ? [port] : []))
      : [],
  );
  if (risky.length > 0) {
    const [ports, have] = risky.length === 1 ? ['Port', 'has'] : ['Ports', 'have'];
    const level = least === 'critical' ? 'critical' : least === 'info' ? 'any level' : `${least} or higher`;
    broken.push([
      'vulnerability',
      `${ports} ${listed(risky.map(String))} ${have} vulnerabilities (${level}); the result says what to do about each.`,
    ]);
  }

  // Ports that were not scanned may be open, so the assertions may be violated.
  if (!whole && (missing.length > 0 || only_expected_ports === true || fail_on_vulnerabilities === true))
    broken.push(['timeout', `Not all ports were scanned within ${host_timeout}: scan fewer, or raise host_timeout.`]);

  const [worst] = broken;
  return worst ? new ProbeFailure('failed', worst[0], broken.map(([, sentence]) => sentence).join(' ')) : null;
};

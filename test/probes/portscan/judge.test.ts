import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RiskLevel } from '../../../domain/check/types/portscan-risk.ts';
import type { PortscanParameters } from '../../../domain/check/types/portscan.ts';
import { judgePortscan, type PortscanFacts } from '../../../probes/portscan/judge.ts';

const rules = suite('the rules of portscan checks');

const risk = (port: number, risk_level: RiskLevel) => ({
  port,
  risk_level,
  service: 'telnet',
  description: 'Telnet is open.',
  detected_version: null,
});

const sentenceOf = (assertions: NonNullable<PortscanParameters['assertions']>, found: Partial<PortscanFacts>) => {
  const scanned = { open: new Set([22, 80]), states: new Map<number, string>(), vulnerabilities: [], whole: true };
  const failure = judgePortscan({ ...scanned, ...found }, { assertions });
  return failure && [failure.status, failure.reason, failure.message];
};

rules('a portscan check without rules passes, whatever ports are open', () => {
  assert.is(sentenceOf({}, { vulnerabilities: [risk(23, 'critical')] }), null);
  assert.is(sentenceOf({}, { open: new Set(), whole: false }), null);
  assert.is(sentenceOf({ expected_open_ports: [80, 22, 22], only_expected_ports: true }, {}), null);
});

rules('a violated portscan rule names the ports that should be open, and their states', () => {
  const states = new Map([
    [443, 'filtered'],
    [53, 'open|filtered'],
    [25, 'closed'],
  ]);
  assert.equal(sentenceOf({ expected_open_ports: [25, 80] }, { states }), [
    'failed',
    'ports',
    'Port 25 should be open, but is closed.',
  ]);
  assert.is(
    sentenceOf({ expected_open_ports: [443, 25, 53, 8_080] }, { states })?.[2],
    'Ports 25 (closed), 53 (silent), 443 (filtered: nothing answers, or a firewall refuses) and 8080 should be open.',
  );
});

rules('a portscan sentence with a long list of ports is shortened, and gives the number of omitted ports', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => 60_000 + index);
  const sentence = sentenceOf({ expected_open_ports: many, only_expected_ports: true }, { open: new Set([1, 2]) })?.[2];
  assert.is(
    sentence,
    'Ports 60000, 60001, 60002, 60003, 60004, 60005, 60006 and 993 more should be open. Ports 1 and 2 are open, but should not be.',
  );
});

rules('a portscan check that expects no open ports fails if a port is open', () => {
  assert.equal(sentenceOf({ only_expected_ports: true }, { open: new Set([8_080]) }), [
    'failed',
    'ports',
    'Port 8080 is open, but should not be.',
  ]);
});

rules('a portscan check reports risks of the configured level and above, by default of medium and above', () => {
  const vulnerabilities = [risk(23, 'high'), risk(23, 'low'), risk(5_432, 'low'), risk(21, 'medium')];
  const failing = (min_risk_level?: RiskLevel) =>
    sentenceOf({ fail_on_vulnerabilities: true, ...(min_risk_level && { min_risk_level }) }, { vulnerabilities });
  const after = 'the result says what to do about each.';
  assert.equal(failing(), [
    'failed',
    'vulnerability',
    `Ports 21 and 23 have vulnerabilities (medium or higher); ${after}`,
  ]);
  assert.is(failing('high')?.[2], `Port 23 has vulnerabilities (high or higher); ${after}`);
  assert.is(failing('info')?.[2], `Ports 21, 23 and 5432 have vulnerabilities (any level); ${after}`);
  assert.is(failing('critical'), null);
});

rules('portscan sentences name no services, because viewers can read these sentences', () => {
  const [, , sentence = ''] =
    sentenceOf({ fail_on_vulnerabilities: true }, { vulnerabilities: [risk(23, 'high')] }) ?? [];
  assert.not.match(sentence, /telnet/i);
});

rules.run();

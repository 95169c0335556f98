import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { limitOf, truthOf, type Condition } from '../conditions.ts';
import { hasVariable } from '../variables.ts';
import { noteCondition, slowestOf, type Endpoint, type Monitored } from './monitored.ts';

const HOUR = 3_600;
const MAX_THRESHOLD = 315_360_000;

/** What the conditions that all types of endpoints can have lead to. */
export interface CommonConditions extends Omit<Monitored, 'main'> {
  /** the minimum validity of the certificate in milliseconds; null without such a condition */
  certificate: number | null;
  /** conditions that depend on the type of the endpoint */
  rest: readonly Condition[];
}

/** Returns the seconds of a threshold, rounded up. */
export const thresholdOf = (milliseconds: number): number =>
  Math.min(MAX_THRESHOLD, Math.max(0, Math.ceil(milliseconds / 1_000)));

/** Converts the conditions that do not depend on the type of an endpoint. */
export const commonConditions = (endpoint: Endpoint, host: string | null): CommonConditions => {
  const limits: number[] = [];
  const certificates: number[] = [];
  const additional: Monitored['additional'][number][] = [];
  const rest: Condition[] = [];
  for (const condition of endpoint.conditions) {
    const limit = limitOf(condition);
    if (condition.call !== null || condition.path !== '') rest.push(condition);
    else if (condition.subject === 'CONNECTED') requireConnection(endpoint, condition);
    else if (condition.subject === 'RESPONSE_TIME') {
      if (limit && 'max' in limit) limits.push(limit.max);
      else noteCondition(endpoint, condition, 'Uptrail only limits how long a response may take.');
    } else if (condition.subject === 'CERTIFICATE_EXPIRATION') {
      if (limit && 'min' in limit) certificates.push(limit.min);
      else noteCondition(endpoint, condition, 'Uptrail only requires a minimum validity of certificates.');
    } else if (condition.subject === 'DOMAIN_EXPIRATION') {
      const found = domainCheck(endpoint, condition, host);
      if (found) additional.push(found);
    } else if (condition.subject === 'IP') {
      const found = addressCheck(endpoint, condition, host);
      if (found) additional.push(found);
    } else rest.push(condition);
  }
  const certificate = certificates.length === 0 ? null : Math.max(...certificates);
  return { additional, slowAfter: slowestOf(limits), certificate, rest };
};

const requireConnection = (endpoint: Endpoint, condition: Condition): void => {
  if (truthOf(condition) !== true)
    noteCondition(endpoint, condition, 'a portscan check with only_expected_ports can require a port to be closed.');
};

const domainCheck = (endpoint: Endpoint, condition: Condition, host: string | null) => {
  const limit = limitOf(condition);
  if (!limit || !('min' in limit)) {
    noteCondition(endpoint, condition, 'Uptrail only requires a minimum until the registration of a domain ends.');
    return null;
  }
  const domain = host === null || hasVariable(host) ? host : (getDomain(host) ?? host);
  if (domain === null || isIP(domain) !== 0) {
    noteCondition(endpoint, condition, 'an address has no registration.');
    return null;
  }
  const assertions = { domain_expiration_threshold: thresholdOf(limit.min) };
  const parameters = { record_type: 'NS', whois_lookup: true, assertions };
  return { suffix: 'domain', interval: HOUR, target: { type: 'dns', host: domain, parameters } };
};

const addressCheck = (endpoint: Endpoint, condition: Condition, host: string | null) => {
  const { operand, operator } = condition;
  const address = operand.kind === 'text' && operator === '==' ? operand.text : '';
  const version = isIP(address);
  if (version === 0 || host === null) {
    noteCondition(endpoint, condition, 'a dns check can require certain addresses (expected_answers).');
    return null;
  }
  if (isIP(host) !== 0) return null;
  const parameters = { record_type: version === 6 ? 'AAAA' : 'A', expected_answers: [address] };
  return { suffix: 'address', target: { type: 'dns', host, parameters } };
};

import { isIP } from 'node:net';
import { RECORD_TYPES } from '../../../../domain/check/types/dns.ts';
import { mappingIn, requiredTextIn, textIn } from '../../mapping/fields.ts';
import type { Condition } from '../conditions.ts';
import { commonConditions } from './common-conditions.ts';
import { noteCondition, type Endpoint, type Monitored } from './monitored.ts';

/** Record types whose answer Gatus shows as Uptrail does. */
const COMPARABLE = ['A', 'AAAA', 'CNAME', 'NS', 'PTR'];

/** Converts an endpoint with the section `dns` to a dns check. Its address is that of a name server. */
export const dnsEndpoint = (endpoint: Endpoint): Monitored | null => {
  const query = mappingIn(endpoint.section, 'dns') ?? {};
  const host = requiredTextIn(query, 'query-name').replace(/\.$/, '');
  const type = (textIn(query, 'query-type') ?? 'A').toUpperCase();
  if (!RECORD_TYPES.some((one) => one === type)) {
    endpoint.note(
      `queries records of the type ${type} and is left out; a dns check supports ${RECORD_TYPES.join(', ')}.`,
    );
    return null;
  }
  const { rest, additional, slowAfter, certificate } = commonConditions(endpoint, host);
  if (certificate !== null) endpoint.note('has a condition on a certificate, which DNS does not have.');
  const expected = rest.flatMap((condition) => answerOf(endpoint, condition, type) ?? []);
  const server = endpoint.url.replace(/^(dns|udp|tcp):\/\//i, '').replace(/\/$/, '');
  const parameters = {
    record_type: type,
    dns_servers: [isIP(server) === 6 ? `[${server}]` : server],
    ...(expected.length > 0 && { expected_answers: expected }),
  };
  return { main: { type: 'dns', host, parameters }, additional, slowAfter };
};

/** Returns the answer that a condition expects; null if it expects none. */
const answerOf = (endpoint: Endpoint, condition: Condition, type: string): string | null => {
  const { subject, operator, operand, path, call } = condition;
  if (subject === 'DNS_RCODE') {
    if (operator !== '==' || operand.kind !== 'text' || operand.text !== 'NOERROR')
      noteCondition(endpoint, condition, 'a dns check requires answers, and so the code NOERROR.');
    return null;
  }
  const isAnswer = subject === 'BODY' && path === '' && call === null && operator === '==' && operand.kind === 'text';
  if (isAnswer && COMPARABLE.includes(type)) return operand.text;
  noteCondition(endpoint, condition, 'a dns check can require whole answers (expected_answers).');
  return null;
};

import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderAssertion, WebAssertions } from '../../domain/check/types/assertions.ts';
import { statusRange } from '../../domain/check/types/status-range.ts';
import type { Reason } from '../engine/check-type.ts';
import { ProbeFailure, quoted } from '../engine/probe-failure.ts';
import type { Mask } from '../engine/masking.ts';
import type { TlsFacts } from '../../domain/check/types/metadata.ts';
import { brokenJson, type JsonBody } from './json.ts';

/** The facts about a complete response that assertions need. */
export interface CompleteResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** TLS facts of the connection; null if the connection was plain */
  tls: TlsFacts | null;
  /** in whole milliseconds */
  responseTime: number;
  /** the body if JSON is needed, or a sentence that says why it can't be read */
  json: JsonBody | string;
}

type Told = readonly [Reason, string];

/**
 * Evaluates a response: its status, its body, and every assertion.
 *
 * @param body the failure of the body, if any; ignored if the status is wrong
 * @param mask replaces secrets in sentences about the response
 * @returns one failure that reports all problems; null if there are no problems
 */
export const judge = (
  answered: CompleteResponse,
  assertions: WebAssertions,
  body: ProbeFailure | null,
  mask: Mask,
): ProbeFailure | null => {
  const status = brokenStatus(answered.status, assertions.status_codes);
  const told: Told[] = [
    ...status,
    ...(body && status.length === 0 ? [[body.reason, body.message] as const] : []),
    ...brokenResponseTime(answered, assertions),
    ...brokenCertificate(answered, assertions),
    ...brokenHeaders(answered.headers, assertions.headers ?? {}),
    ...((assertions.json ?? []).length === 0
      ? []
      : brokenJson(answered.json, assertions.json ?? [], mask).map((sentence) => ['json', sentence] as const)),
  ];
  const [first] = told;
  return first ? new ProbeFailure('failed', first[0], told.map(([, sentence]) => sentence).join(' ')) : null;
};

const brokenStatus = (status: number, codes: WebAssertions['status_codes']): Told[] => {
  if (isRight(status, codes)) return [];
  // Loaded only for a failure: node:http takes megabytes of memory in a probe process, and most responses are as
  // expected.
  const words = process.getBuiltinModule('node:http').STATUS_CODES[status];
  const answer = `The server answered ${status}${words === undefined ? '' : ` ${words}`}`;
  return [['status', codes ? `${answer}, not ${codes.join(', ')}.` : `${answer}.`]];
};

const isRight = (status: number, codes: WebAssertions['status_codes']): boolean => {
  if (!codes) return status < 400;
  return codes.some((code) => {
    const [from, to] = statusRange(code) ?? [0, 0];
    return from <= status && status <= to;
  });
};

const brokenResponseTime = ({ responseTime }: CompleteResponse, { max_response_time: most }: WebAssertions): Told[] =>
  most === undefined || responseTime <= most
    ? []
    : [['response_time', `The response took ${responseTime} ms, more than ${most} ms.`]];

const brokenCertificate = ({ tls }: CompleteResponse, { min_certificate_days: least }: WebAssertions): Told[] => {
  if (least === undefined) return [];
  if (!tls) return [['certificate', 'The connection has no certificate: the URL is not https.']];
  const { issuer_expires_first: issuer } = tls;
  return [
    ...(issuer ? [{ whose: `The certificate of the issuer ${quoted(issuer.subject)}`, ...issuer }] : []),
    { whose: 'The certificate', ...tls },
  ]
    .filter(({ days_left }) => days_left < least)
    .map(({ whose, not_after, days_left }) => {
      const days = `${days_left} ${days_left === 1 ? 'day' : 'days'}`;
      return ['certificate', `${whose} expires on ${not_after.slice(0, 10)}, in ${days}, less than ${least}.`];
    });
};

/** Sentences name only the expected value of a header: some users are not permitted to see the received value. */
const brokenHeaders = (headers: IncomingHttpHeaders, wanted: Record<string, HeaderAssertion>): Told[] =>
  Object.entries(wanted).flatMap(([name, expected]): Told[] => {
    const key = name.toLowerCase();
    const given = Object.hasOwn(headers, key) ? headers[key] : undefined;
    const value = Array.isArray(given) ? given.join(', ') : given;
    if (expected === null) return value === undefined ? [] : [['header', `Header ${name} is in the response.`]];
    if (value === undefined) return [['header', `Header ${name} is not in the response.`]];
    if (typeof expected === 'string')
      return value === expected ? [] : [['header', `Header ${name} is not ${quoted(expected)}.`]];
    return value.includes(expected.contains)
      ? []
      : [['header', `Header ${name} does not contain ${quoted(expected.contains)}.`]];
  });

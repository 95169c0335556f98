import type { Fields } from '../../../configuration/model.ts';
import { checkUrlOf } from '../../url.ts';
import { isOn, json, number, text } from '../../rows.ts';
import type { Draft, Monitor, MonitorMapping } from './draft.ts';
import { jsonAssertionOf } from './json-query.ts';
import { requestOf } from './request.ts';
import { timeLimitOf } from './time-limit.ts';

const MAX_KEYWORD = 1_000;
const MAX_STATUS_CODES = 50;
const DEFAULT_STATUS_CODES = ['200-299'];
/** The most redirects that Uptrail follows. */
const MAX_REDIRECTS = 10;

/** Maps the monitors of the types `http`, `keyword` and `json-query`. */
export const http: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const target = checkUrlOf(text(row, 'url'));
  if (target === null) {
    remarks.about(name, 'was not imported, because its URL is not one that a web check can request.');
    return null;
  }
  const request = requestOf(monitor, target);
  const isHead = request.fields['method'] === 'HEAD';
  const found = isHead ? { complete: true } : conditionsOf(monitor);
  if (isHead && text(row, 'type') !== 'http') {
    remarks.about(name, 'requests no body (HEAD), so its text or JSON is not checked. Choose the method GET.');
  }
  const statusCodes = statusCodesOf(monitor);
  const tls = tlsOf(monitor, target.url);
  const usesProxy = (number(row, 'proxy_id') ?? 0) !== 0;
  if (usesProxy) {
    remarks.about(
      name,
      'was imported paused, because Uptime Kuma uses a proxy for it and checks connect directly. Use a runner in the network of the target.',
    );
  }
  return {
    type: 'web',
    url: target.url,
    timeout: timeLimitOf(monitor),
    parameters: {
      ...(Object.keys(request.fields).length > 0 && { http_request: request.fields }),
      ...redirectsOf(monitor),
      ...('search' in found && found.search),
      ...tls.parameters,
      assertions: {
        status_codes: statusCodes.codes,
        ...('assertions' in found && found.assertions),
        ...tls.assertions,
      },
    },
    ...((request.paused || tls.paused || !found.complete || !statusCodes.complete || usesProxy) && { paused: true }),
  } satisfies Draft;
};

/** The last status code that a check can accept. */
const LAST_STATUS_CODE = 599;

/** Returns the accepted status codes, and whether a check can accept all of them. */
const statusCodesOf = ({ row, name, remarks }: Monitor): { codes: (number | string)[]; complete: boolean } => {
  const value = json(row, 'accepted_statuscodes_json');
  const listed: unknown[] = Array.isArray(value) ? value : [];
  const codes = listed.flatMap((code): (number | string)[] => {
    const [, from, to] = /^\s*([1-9]\d\d)(?:\s*-\s*([1-9]\d\d))?\s*$/.exec(String(code)) ?? [];
    if (from === undefined) return [];
    const last = Math.min(Number(to ?? from), LAST_STATUS_CODE);
    if (Number(from) > last) return [];
    return [Number(from) === last ? last : `${from}-${last}`];
  });
  const complete = !listed.some((code) => /^\s*[6-9]\d\d/.test(String(code)));
  if (!complete) {
    remarks.about(
      name,
      `was imported paused, because it accepts status codes above ${LAST_STATUS_CODE}, which a check cannot.`,
    );
  }
  if (codes.length > MAX_STATUS_CODES) remarks.about(name, `accepts the first ${MAX_STATUS_CODES} status codes only.`);
  return { codes: codes.length > 0 ? codes.slice(0, MAX_STATUS_CODES) : DEFAULT_STATUS_CODES, complete };
};

const redirectsOf = ({ row, name, remarks }: Monitor): Fields => {
  const most = number(row, 'maxredirects') ?? MAX_REDIRECTS;
  if (most <= 0) return { follow_redirects: false };
  if (most !== MAX_REDIRECTS)
    remarks.about(name, `follows up to ${MAX_REDIRECTS} redirects; other limits do not exist.`);
  return {};
};

interface Conditions {
  search?: Fields;
  assertions?: Fields;
  /** whether the check verifies all that the monitor verifies */
  complete: boolean;
}

const conditionsOf = (monitor: Monitor): Conditions => {
  const { row, name, remarks } = monitor;
  if (text(row, 'type') === 'json-query') {
    const assertion = jsonAssertionOf(row);
    if (assertion !== null) return { assertions: { json: [assertion] }, complete: true };
    remarks.about(
      name,
      'was imported paused without its JSON query, which is more than a path. Write it as a JSONPath assertion, or as a multistep script.',
    );
    return { complete: false };
  }
  const keyword = text(row, 'keyword');
  if (text(row, 'type') !== 'keyword' || keyword === '') return { complete: true };
  if (keyword.length > MAX_KEYWORD) {
    remarks.about(name, `was imported paused without its keyword, which has more than ${MAX_KEYWORD} characters.`);
    return { complete: false };
  }
  if (/"\s*:/.test(keyword)) {
    remarks.about(
      name,
      'has a keyword that looks like JSON. Uptime Kuma removes white space from JSON before the search; Uptrail searches the text as sent. A JSON assertion is independent of white space.',
    );
  }
  return isOn(row, 'invert_keyword')
    ? { assertions: { search_text_absent: keyword }, complete: true }
    : { search: { search_text: keyword }, complete: true };
};

interface Tls {
  parameters?: Fields;
  assertions?: Fields;
  paused?: boolean;
}

const tlsOf = ({ row, name, remarks, certificateDays, certificateTrusted }: Monitor, url: string): Tls => {
  if (!/^https:/i.test(url)) return {};
  if (isOn(row, 'ignore_tls')) {
    if (certificateTrusted === true) {
      remarks.about(
        name,
        'ignores errors of certificates in Uptime Kuma. The check verifies the certificate, which was trusted last.',
      );
      return {};
    }
    remarks.about(
      name,
      'was imported paused, because checks cannot ignore errors of certificates. Put the certificate of the authority into ca_certificate, then activate the check.',
    );
    return { paused: true };
  }
  if (!isOn(row, 'expiry_notification') || certificateDays === null) return {};
  return { assertions: { min_certificate_days: certificateDays } };
};

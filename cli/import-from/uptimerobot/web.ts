import { statusRange } from '../../../domain/check/types/status-range.ts';
import { HTTP_METHODS } from '../../../domain/check/types/web.ts';
import type { Fields } from '../../configuration/model.ts';
import type { Remarks } from '../remarks.ts';
import { checkUrlOf, type CheckUrl } from '../url.ts';
import { apiConditionsOf, type ApiConditions } from './api-assertions.ts';
import type { CheckTarget, RobotMonitor } from './monitor.ts';

const DEFAULT_CONTENT_TYPE = 'text/html';
const MOST_STATUS_CODES = 50;

/** Maps a monitor of the type HTTP, keyword or API. Returns null, with a remark, if no check can request its URL. */
export const webOf = (monitor: RobotMonitor, name: string, remarks: Remarks): CheckTarget | null => {
  const address = monitor.url.trim();
  const target = checkUrlOf(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`);
  if (target === null) {
    remarks.about(name, 'was not imported, because its URL is not one that a web check can request.');
    return null;
  }
  const request = requestOf(monitor, target, name, remarks);
  const conditions = conditionsOf(monitor, name, remarks);
  const statusCodes = statusCodesOf(monitor, name, remarks);
  const isHttps = /^https:/i.test(target.url);
  const days = isHttps ? monitor.certificateDays : null;
  remarkWeb(monitor, name, isHttps, remarks);
  const assertions = {
    ...(statusCodes !== null && { status_codes: statusCodes }),
    ...(conditions.absent !== undefined && { search_text_absent: conditions.absent }),
    ...(conditions.json.length > 0 && { json: conditions.json }),
    ...(days !== null && { min_certificate_days: days }),
  };
  return {
    type: 'web',
    url: target.url,
    parameters: {
      ...(Object.keys(request).length > 0 && { http_request: request }),
      ...(!monitor.followsRedirects && { follow_redirects: false }),
      ...(conditions.text !== undefined && { search_text: conditions.text }),
      ...(Object.keys(assertions).length > 0 && { assertions }),
    },
    ...((monitor.usesDigest || !conditions.complete) && { paused: true }),
  };
};

/** Returns the parameter `http_request`. */
const requestOf = (monitor: RobotMonitor, target: CheckUrl, name: string, remarks: Remarks): Fields => {
  const method = methodOf(monitor, name, remarks);
  const credentials = {
    username: monitor.username || target.username,
    password: monitor.password || target.password,
  };
  if (monitor.usesDigest) {
    remarks.about(
      name,
      'was imported paused, because checks do not send Digest authentication. Use a multistep script.',
    );
  }
  const given = new Set(Object.keys(monitor.headers).map((header) => header.toLowerCase()));
  const isBearer = monitor.token !== '';
  const headers = {
    ...(monitor.body !== null &&
      !given.has('content-type') && { 'Content-Type': monitor.contentType ?? DEFAULT_CONTENT_TYPE }),
    ...(isBearer && !given.has('authorization') && { Authorization: `Bearer ${monitor.token}` }),
    ...monitor.headers,
  };
  return {
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(monitor.body !== null && { body: monitor.body }),
    ...(credentials.username !== '' && !monitor.usesDigest && !isBearer && credentials),
  };
};

/** UptimeRobot requests no body (HEAD) unless it examines one. A method that an export does not name is GET. */
const methodOf = ({ method, type }: RobotMonitor, name: string, remarks: Remarks): string => {
  if (method === null || (method === 'HEAD' && type !== 'http')) return 'GET';
  if ((HTTP_METHODS as readonly string[]).includes(method)) return method;
  remarks.about(name, `sends GET, because checks have no method "${method.slice(0, 20)}".`);
  return 'GET';
};

/** Returns the accepted status codes that a check can have; null for the usual ones. */
const statusCodesOf = ({ statusCodes }: RobotMonitor, name: string, remarks: Remarks): (number | string)[] | null => {
  if (statusCodes === null) return null;
  const possible = statusCodes.filter((code) => statusRange(code) !== null).slice(0, MOST_STATUS_CODES);
  if (possible.length < statusCodes.length) {
    remarks.about(
      name,
      `accepts only the first ${MOST_STATUS_CODES} status codes or ranges, and none above 599, because a check has no others.`,
    );
  }
  return possible.length > 0 ? possible : null;
};

/** Returns what the check requires of the body. */
const conditionsOf = (monitor: RobotMonitor, name: string, remarks: Remarks): ApiConditions => {
  if (monitor.type === 'api') {
    const found = apiConditionsOf(monitor.apiAssertions);
    if (!found.complete) {
      remarks.about(
        name,
        'was imported paused without some assertions: a check requires all of its conditions, at paths of JSON or in the body. Use a multistep script.',
      );
    }
    return found;
  }
  const none = { json: [], complete: true };
  if (monitor.type !== 'keyword' || monitor.keyword === '') return none;
  if (monitor.ignoresCase)
    remarks.about(name, 'searches its keyword in exactly these letters, upper and lower case included.');
  return monitor.keywordIsBad ? { ...none, absent: monitor.keyword } : { ...none, text: monitor.keyword };
};

/** Remarks that a check does not choose the version of IP. */
export const remarkVersion = ({ ipVersion }: RobotMonitor, name: string, remarks: Remarks): void => {
  if (ipVersion === null) return;
  remarks.about(name, 'requires a version of IP, which only icmp checks can. Use an address instead of the name.');
};

const remarkWeb = (monitor: RobotMonitor, name: string, isHttps: boolean, remarks: Remarks): void => {
  const { certificateDays, ignoresCertificate, remindsOfDomain, slowAfter } = monitor;
  remarkVersion(monitor, name, remarks);
  if (isHttps && ignoresCertificate) {
    remarks.about(
      name,
      'ignores errors of certificates in UptimeRobot. The check verifies the certificate: put that of a private authority into ca_certificate.',
    );
  }
  if (isHttps && certificateDays !== null) {
    remarks.about(
      name,
      `fails when its certificate is valid for less than ${certificateDays} days, instead of a reminder before it expires.`,
    );
  }
  if (remindsOfDomain) {
    remarks.about(
      name,
      'reminds before its domain expires. A dns check with whois_lookup and domain_expiration_threshold does so.',
    );
  }
  if (slowAfter > 0) {
    remarks.about(
      name,
      `notifies of responses slower than ${slowAfter} ms. A rule with the condition check_degraded does so.`,
    );
  }
};

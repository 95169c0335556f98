import type { CheckEntry, Fields } from '../../configuration/model.ts';
import { statusRange } from '../../../domain/check/types/status-range.ts';
import { HTTP_METHODS } from '../../../domain/check/types/web.ts';
import { tagOf, tagsOf } from '../naming.ts';
import type { Remarks } from '../remarks.ts';
import { intervalOf, timeoutOf } from '../schedule.ts';
import { checkUrlOf, hostOf } from '../url.ts';
import type { RobotMonitor } from './monitor.ts';

const DEFAULT_TIMEOUT = 30;
const MOST_STATUS_CODES = 50;

/** Maps a monitor to a check. Returns null, with a remark, if it can't become one. */
export const checkOf = (monitor: RobotMonitor, name: string, remarks: Remarks): CheckEntry | null => {
  const target = targetOf(monitor, name, remarks);
  if (target === null) return null;
  const { paused = false, ...fields } = target;
  return {
    name,
    ...fields,
    interval: intervalOf(name, monitor.interval, remarks),
    timeout: timeoutOf(name, monitor.timeout ?? DEFAULT_TIMEOUT, remarks),
    active: monitor.active && !paused,
    tags: tagsOf(monitor.tags.map((tag) => tagOf(tag))),
    group: null,
  };
};

interface CheckTarget extends Fields {
  type: string;
  parameters: Fields;
  paused?: boolean;
}

const targetOf = (monitor: RobotMonitor, name: string, remarks: Remarks): CheckTarget | null => {
  const { type, url, port } = monitor;
  if (type === 'http' || type === 'keyword') return webOf(monitor, name, remarks);
  const host = hostOf(url);
  if (!['ping', 'port', 'dns'].includes(type)) {
    remarks.about(name, `was not imported, because the type "${type.slice(0, 40)}" is not known.`);
    return null;
  }
  if (host === null || (type === 'port' && port === null)) {
    remarks.about(name, `was not imported, because it names no ${host === null ? 'host' : 'port'}.`);
    return null;
  }
  if (type === 'ping') return { type: 'icmp', host, parameters: {} };
  if (type === 'port') return { type: 'tcp', host, port, parameters: {} };
  remarks.about(name, 'became a dns check of A records. Set the type of the records and the answers that it expects.');
  return { type: 'dns', host, parameters: {} };
};

const webOf = (monitor: RobotMonitor, name: string, remarks: Remarks): CheckTarget | null => {
  const address = monitor.url.trim();
  const target = checkUrlOf(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`);
  if (target === null) {
    remarks.about(name, 'was not imported, because its URL is not one that a web check can request.');
    return null;
  }
  const method = methodOf(monitor, name, remarks);
  const credentials = {
    username: monitor.username || target.username,
    password: monitor.password || target.password,
  };
  const headers = {
    ...(monitor.body !== null && { 'Content-Type': monitor.contentType ?? 'text/html' }),
    ...monitor.headers,
  };
  if (monitor.usesDigest) {
    remarks.about(
      name,
      'was imported paused, because checks do not send Digest authentication. Use a multistep script.',
    );
  }
  const request = {
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(monitor.body !== null && { body: monitor.body }),
    ...(credentials.username !== '' && !monitor.usesDigest && credentials),
  };
  const search = searchOf(monitor, name, remarks);
  const statusCodes = statusCodesOf(monitor, name, remarks);
  return {
    type: 'web',
    url: target.url,
    parameters: {
      ...(Object.keys(request).length > 0 && { http_request: request }),
      ...(!monitor.followsRedirects && { follow_redirects: false }),
      ...(search.text !== undefined && { search_text: search.text }),
      ...((statusCodes !== null || search.absent !== undefined) && {
        assertions: {
          ...(statusCodes !== null && { status_codes: statusCodes }),
          ...(search.absent !== undefined && { search_text_absent: search.absent }),
        },
      }),
    },
    ...(monitor.usesDigest && { paused: true }),
  };
};

/** UptimeRobot requests no body (HEAD) unless it searches one. A method that an export does not name is GET. */
const methodOf = ({ method, type }: RobotMonitor, name: string, remarks: Remarks): string => {
  if (method === null || (method === 'HEAD' && type === 'keyword')) return 'GET';
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

const searchOf = (monitor: RobotMonitor, name: string, remarks: Remarks): { text?: string; absent?: string } => {
  if (monitor.type !== 'keyword' || monitor.keyword === '') return {};
  if (monitor.ignoresCase)
    remarks.about(name, 'searches its keyword in exactly these letters, upper and lower case included.');
  return monitor.keywordIsBad ? { absent: monitor.keyword } : { text: monitor.keyword };
};

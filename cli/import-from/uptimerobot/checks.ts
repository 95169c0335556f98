import type { CheckEntry } from '../../configuration/model.ts';
import { tagOf, tagsOf } from '../naming.ts';
import type { Remarks } from '../remarks.ts';
import { intervalOf, timeoutOf } from '../schedule.ts';
import { hostOf } from '../url.ts';
import { dnsOf } from './dns.ts';
import type { CheckTarget, RobotMonitor } from './monitor.ts';
import { remarkVersion, webOf } from './web.ts';

const DEFAULT_TIMEOUT = 30;

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
  };
};

const targetOf = (monitor: RobotMonitor, name: string, remarks: Remarks): CheckTarget | null => {
  const { type, url, port } = monitor;
  if (['http', 'keyword', 'api'].includes(type)) return webOf(monitor, name, remarks);
  const host = hostOf(url);
  if (!['ping', 'port', 'dns'].includes(type)) {
    const reason =
      type === 'udp'
        ? 'because checks send no UDP packets. A portscan check with scan_type udp is the closest equivalent.'
        : `because the type "${type.slice(0, 40)}" is not known.`;
    remarks.about(name, `was not imported, ${reason}`);
    return null;
  }
  if (host === null || (type === 'port' && port === null)) {
    remarks.about(name, `was not imported, because it names no ${host === null ? 'host' : 'port'}.`);
    return null;
  }
  const { ipVersion } = monitor;
  if (type === 'ping') {
    return { type: 'icmp', host, parameters: ipVersion === null ? {} : { ip_version: ipVersion } };
  }
  if (type === 'dns') return dnsOf(monitor, host, name, remarks);
  remarkVersion(monitor, name, remarks);
  return { type: 'tcp', host, port, parameters: {} };
};

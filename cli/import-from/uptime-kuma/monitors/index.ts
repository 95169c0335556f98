import { isOn, number, text, type Row } from '../../rows.ts';
import { browser } from './browser.ts';
import type { Draft, Monitor, MonitorMapping } from './draft.ts';
import { http } from './http.ts';
import { dns, ping, port } from './network.ts';
import { services } from './services.ts';

const HTTP_PORT = 80;

/** Returns the row of the monitor that measures the same without Globalping. */
const withoutGlobalping = (row: Row): Row => {
  switch (text(row, 'subtype')) {
    case 'ping':
      return text(row, 'protocol').toUpperCase() === 'TCP'
        ? { ...row, type: 'port', port: number(row, 'port') ?? HTTP_PORT }
        : { ...row, type: 'ping' };
    case 'http': {
      const isQuery = text(row, 'keyword') === '' && text(row, 'expected_value') !== '';
      return { ...row, type: isQuery ? 'json-query' : 'keyword' };
    }
    default:
      return { ...row, type: text(row, 'subtype') };
  }
};

/** Maps a monitor that Globalping measures from one of its locations. */
const globalping: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const plain = withoutGlobalping(row);
  const draft = MAPPINGS.get(text(plain, 'type'))?.({ ...monitor, row: plain }) ?? null;
  if (draft) remarks.about(name, 'runs in the regions of Uptrail, not at a location of Globalping.');
  else remarks.about(name, 'was not imported, because the measurement of Globalping has no equivalent.');
  return draft;
};

/** The mappings by type of monitor. `group` and `push` become other objects than checks. */
const MAPPINGS: ReadonlyMap<string, MonitorMapping> = new Map(
  Object.entries({
    ...services,
    dns,
    globalping,
    http,
    'json-query': http,
    keyword: http,
    ping,
    port,
    'real-browser': browser,
  }),
);

/** Maps a monitor to the fields of a check. Returns null, with a remark, if it can't become one. */
export const draftOf = (monitor: Monitor): Draft | null => {
  const { row, name, remarks } = monitor;
  const type = text(row, 'type');
  const mapping = MAPPINGS.get(type);
  if (!mapping) {
    remarks.about(name, `was not imported, because the type "${type.slice(0, 40)}" is not known.`);
    return null;
  }
  const draft = mapping(monitor);
  return draft !== null && isOn(row, 'upside_down') ? upsideDown(monitor, draft) : draft;
};

/** The time limit of a scan of one port. */
const SCAN_LIMIT = '30s';

/** A port that must be closed can be scanned. Other checks that should fail are paused. */
const upsideDown = ({ name, remarks }: Monitor, draft: Draft): Draft => {
  if (draft.type === 'tcp' && draft.port !== undefined) {
    const { host = '', port, timeout } = draft;
    remarks.about(
      name,
      'became a portscan check, which fails if the port is open (upside-down mode). It needs nmap on the runner.',
    );
    const parameters = {
      ports: String(port),
      scan_type: 'connect',
      service_detection: false,
      host_timeout: SCAN_LIMIT,
      assertions: { only_expected_ports: true },
    };
    return { type: 'portscan', host, timeout, parameters };
  }
  remarks.about(
    name,
    'was imported paused, because there is no upside-down mode. Assert what the target should do: a status code such as 404, a text that must be absent, or a script that expects a failure.',
  );
  return { ...draft, paused: true };
};

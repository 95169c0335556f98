import { checkUrlOf, hostOf, portOf, serverOf, type HostAndPort } from '../../url.ts';
import { isOn, json, text } from '../../rows.ts';
import type { Draft, Monitor, MonitorMapping } from './draft.ts';
import { hostNameOf, icmpDraft, tcpDraft } from './network.ts';
import { timeLimitOf } from './time-limit.ts';

const noAddress = ({ name, remarks }: Monitor): null => {
  remarks.about(name, 'was not imported, because the address of its server could not be read.');
  return null;
};

/** Connects to the server that an address names. */
const connectTo = (monitor: Monitor, server: HostAndPort | null, defaultPort: number, tls = false): Draft | null => {
  if (server === null) return noAddress(monitor);
  const parameters = tls ? { tls: true } : {};
  return tcpDraft(monitor, { host: server.host, port: server.port ?? defaultPort }, parameters);
};

/** Maps a monitor of a database to a check that connects to its port. */
const database =
  (defaultPort: number, read: (connection: string) => HostAndPort | null = serverOf): MonitorMapping =>
  (monitor) => {
    const draft = connectTo(monitor, read(text(monitor.row, 'database_connection_string')), defaultPort);
    if (draft) {
      monitor.remarks.about(monitor.name, 'became a tcp check: it connects to the database, but sends no query.');
    }
    return draft;
  };

/** Reads the server in the connection string of an SQL Server (`Server=tcp:db.example.com,1433;Database=shop`). */
const sqlServerOf = (connection: string): HostAndPort | null => {
  const [, server = ''] =
    /(?:^|;)\s*(?:server|data source|address|addr|network address)\s*=\s*([^;]*)/i.exec(connection) ?? [];
  const [host = '', port] = server.replace(/^\s*tcp:/i, '').split(',');
  const name = hostOf(host.split('\\')[0] ?? '');
  return name === null ? null : { host: name, port: portOf(port) };
};

const mongodb: MonitorMapping = (monitor) => {
  const connection = text(monitor.row, 'database_connection_string').trim();
  if (!/^mongodb\+srv:/i.test(connection)) return database(27_017)(monitor);
  const server = serverOf(connection);
  if (server === null) return noAddress(monitor);
  monitor.remarks.about(
    monitor.name,
    'became a dns check of the SRV record that names its servers. It does not connect to them.',
  );
  const host = `_mongodb._tcp.${server.host}`;
  return { type: 'dns', host, timeout: timeLimitOf(monitor), parameters: { record_type: 'SRV' } };
};

/** A redis server answers PING without a password. With one, it answers with an error, so the check only connects. */
const redis: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const connection = text(row, 'database_connection_string').trim();
  const server = serverOf(connection);
  const draft = connectTo(monitor, server, 6_379, /^rediss:/i.test(connection));
  if (draft === null) return null;
  if (/@/.test(connection)) {
    remarks.about(name, 'became a tcp check: it connects to the server, but does not authenticate and sends no PING.');
    return draft;
  }
  return { ...draft, parameters: { ...draft.parameters, send_text: 'PING\r\n', search_text: '+PONG' } };
};

const mqtt: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const address = text(row, 'hostname');
  const tls = /^(?:mqtts|wss|ssl|tls):/i.test(address);
  const server = serverOf(address);
  const port = portOf(row['port']) ?? server?.port ?? (tls ? 8_883 : 1_883);
  const draft = connectTo(monitor, server && { host: server.host, port }, port, tls);
  if (draft) remarks.about(name, 'became a tcp check: it connects to the broker, but subscribes to no topic.');
  return draft;
};

const grpc: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const tls = isOn(row, 'grpc_enable_tls');
  const draft = connectTo(monitor, serverOf(text(row, 'grpc_url')), tls ? 443 : 80, tls);
  if (draft) remarks.about(name, 'became a tcp check: it connects to the server, but calls no method.');
  return draft;
};

/** Returns the texts in a list that is stored as JSON, or separated by commas. */
const listIn = (monitor: Monitor, column: string): string[] => {
  const list = json(monitor.row, column);
  const texts = Array.isArray(list) ? list.map(String) : text(monitor.row, column).split(',');
  return texts.map((entry) => entry.trim()).filter((entry) => entry !== '');
};

const kafka: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const brokers = listIn(monitor, 'kafka_producer_brokers');
  const draft = connectTo(monitor, serverOf(brokers[0] ?? ''), 9_092, isOn(row, 'kafka_producer_ssl'));
  if (draft) {
    const others = brokers.length > 1 ? ' first' : '';
    remarks.about(name, `became a tcp check: it connects to the${others} broker, but produces no message.`);
  }
  return draft;
};

/** RabbitMQ reports alarms over HTTP, as Uptime Kuma asks for them. */
const rabbitmq: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const nodes = listIn(monitor, 'rabbitmq_nodes');
  const target = checkUrlOf(`${(nodes[0] ?? '').replace(/\/+$/, '')}/api/health/checks/alarms/`);
  if (target === null) return noAddress(monitor);
  if (nodes.length > 1) {
    remarks.about(name, 'watches the first node only. Create a check for each of the others.');
  }
  const username = text(row, 'rabbitmq_username') || target.username;
  const password = text(row, 'rabbitmq_password') || target.password;
  return {
    type: 'web',
    url: target.url,
    timeout: timeLimitOf(monitor),
    parameters: {
      http_request: { headers: { Accept: 'application/json' }, ...(username !== '' && { username, password }) },
      assertions: { status_codes: [200] },
    },
  };
};

/** Connects to host and port of a monitor, and waits for the greeting of the server. */
const greeting =
  (defaultPort: number, searchText: string | null): MonitorMapping =>
  (monitor) => {
    const host = hostNameOf(monitor);
    if (host === null) return null;
    const port = portOf(monitor.row['port']) ?? defaultPort;
    const tls = text(monitor.row, 'smtp_security') === 'secure';
    return tcpDraft(
      monitor,
      { host, port },
      { ...(tls && { tls: true }), ...(searchText !== null && { search_text: searchText }) },
    );
  };

/** Games whose servers are asked over TCP. */
const TCP_GAMES = new Set([
  'minecraft',
  'minecraftping',
  'mbe',
  'terraria',
  'terrariatshock',
  'teamspeak3',
  'ts3',
  'mumble',
  'fivem',
]);

const game: MonitorMapping = (monitor) => {
  const { row, name, remarks } = monitor;
  const host = hostNameOf(monitor);
  if (host === null) return null;
  const port = portOf(row['port']);
  if (TCP_GAMES.has(text(row, 'game').toLowerCase()) && port !== null) {
    remarks.about(name, 'became a tcp check: it connects to the server, but does not ask for the state of the game.');
    return tcpDraft(monitor, { host, port });
  }
  return reachable('the game server')(monitor);
};

/** Maps a monitor of a protocol over UDP, which checks do not speak, to a check whether the host answers. */
const reachable =
  (what: string): MonitorMapping =>
  (monitor) => {
    const host = hostNameOf(monitor);
    if (host === null) return null;
    monitor.remarks.about(
      monitor.name,
      `became an icmp check: it finds out whether the host answers, but does not ask ${what}.`,
    );
    return icmpDraft(monitor, host);
  };

/** Connects to the server of a URL with another scheme, such as `wss:` or `rtsp:`. */
const serverOfUrl =
  (plain: number, secure: RegExp, what: string): MonitorMapping =>
  (monitor) => {
    const address = text(monitor.row, 'url') || text(monitor.row, 'hostname');
    const tls = secure.test(address);
    const draft = connectTo(monitor, serverOf(address), portOf(monitor.row['port']) ?? (tls ? 443 : plain), tls);
    if (draft) monitor.remarks.about(monitor.name, `became a tcp check: it connects to the server, but ${what}.`);
    return draft;
  };

/** A monitor that no check can replace. */
const unmapped =
  (sentence: string): MonitorMapping =>
  ({ name, remarks }) => {
    remarks.about(name, sentence);
    return null;
  };

/** The mappings of monitors whose protocol Uptrail does not speak, by type: the closest equivalent of each. */
export const services: Readonly<Record<string, MonitorMapping>> = {
  docker: unmapped(
    'was not imported, because Uptrail does not ask Docker. Watch a port of the container, or let the container ping a heartbeat.',
  ),
  gamedig: game,
  'grpc-keyword': grpc,
  'kafka-producer': kafka,
  'local-service': unmapped('was not imported. Let a job on that machine ping a heartbeat while the program runs.'),
  manual: unmapped(
    'was not imported, because its status is set by hand. Set the status of the component on the status page instead.',
  ),
  mongodb,
  mqtt,
  mysql: database(3_306),
  nut: greeting(3_493, null),
  oracledb: database(1_521),
  pm2: unmapped('was not imported. Let the process ping a heartbeat.'),
  postgres: database(5_432),
  rabbitmq,
  radius: reachable('the RADIUS server'),
  redis,
  rtsp: serverOfUrl(554, /^rtsps:/i, 'requests no stream'),
  sftp: greeting(22, 'SSH-'),
  'sip-options': reachable('the SIP server'),
  smtp: greeting(25, '220'),
  snmp: reachable('its SNMP agent'),
  sqlserver: database(1_433, sqlServerOf),
  ssh: greeting(22, 'SSH-'),
  steam: reachable('Steam'),
  'system-service': unmapped('was not imported. Let a job on that machine ping a heartbeat while the program runs.'),
  'tailscale-ping': reachable('Tailscale, so run it on a runner inside the tailnet'),
  'websocket-upgrade': serverOfUrl(80, /^wss:/i, 'does not upgrade to a WebSocket'),
};

/** A monitor of UptimeRobot, from any of its formats. */
export interface RobotMonitor {
  name: string;
  /** `http`, `keyword`, `ping`, `port`, `heartbeat`, `dns`, or an unknown type as it was written */
  type: string;
  url: string;
  port: number | null;
  /** seconds */
  interval: number;
  /** seconds; null if the export has none */
  timeout: number | null;
  active: boolean;
  keyword: string;
  /** whether the keyword means that the monitor is down */
  keywordIsBad: boolean;
  ignoresCase: boolean;
  username: string;
  password: string;
  usesDigest: boolean;
  method: string | null;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  contentType: string | null;
  /** accepted status codes; null for the usual ones */
  statusCodes: readonly (number | string)[] | null;
  followsRedirects: boolean;
  /** seconds that a ping of a heartbeat may be late; null if the export has none */
  grace: number | null;
  tags: readonly string[];
  /** keys of the contacts that are notified, with the minutes of their delay */
  contacts: readonly { key: string; delay: number }[];
}

export const TYPES: Readonly<Record<string, string>> = {
  1: 'http',
  2: 'keyword',
  3: 'ping',
  4: 'port',
  5: 'heartbeat',
  'http(s)': 'http',
  https: 'http',
  tcp: 'port',
  icmp: 'ping',
};

/** The ports of the services that a port monitor can name, by the number or the name of the service. */
export const SERVICE_PORTS: Readonly<Record<string, number>> = {
  1: 80,
  2: 443,
  3: 21,
  4: 25,
  5: 110,
  6: 143,
  http: 80,
  https: 443,
  ftp: 21,
  smtp: 25,
  pop3: 110,
  imap: 143,
};

export const METHODS: Readonly<Record<string, string>> = {
  1: 'HEAD',
  2: 'GET',
  3: 'POST',
  4: 'PUT',
  5: 'PATCH',
  6: 'DELETE',
  7: 'OPTIONS',
};

/** Returns the type in the words of {@link RobotMonitor}. */
export const typeOf = (value: string): string => {
  const word = value.trim().toLowerCase();
  return TYPES[word] ?? word;
};

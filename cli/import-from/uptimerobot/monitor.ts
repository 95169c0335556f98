import type { Fields } from '../../configuration/model.ts';
import type { Row } from '../rows.ts';

/** The fields of a check that depend on its type. */
export interface CheckTarget extends Fields {
  type: string;
  parameters: Fields;
  paused?: boolean;
}

/** A monitor of UptimeRobot, from any of its formats. */
export interface RobotMonitor {
  /** number of the monitor, which is the same in all versions of the API; empty in CSV files */
  id: string;
  /** whether the monitor comes from version 3 of the API, which has the most settings */
  isVersion3: boolean;
  name: string;
  /** `http`, `keyword`, `api`, `ping`, `port`, `udp`, `heartbeat`, `dns`, or an unknown type as it was written */
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
  /** bearer token; empty without one */
  token: string;
  method: string | null;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  contentType: string | null;
  /** accepted status codes; null for the usual ones */
  statusCodes: readonly (number | string)[] | null;
  followsRedirects: boolean;
  /** the assertions of a monitor of the type `api`, as in version 3 of the API; empty without them */
  apiAssertions: Row;
  /** the expected records of a monitor of the type `dns`, by their type */
  dnsRecords: ReadonlyMap<string, readonly string[]>;
  /** the version of IP that the monitor requires; null if it uses both */
  ipVersion: 'v4' | 'v6' | null;
  ignoresCertificate: boolean;
  /** the last of the days on which a reminder precedes the end of the certificate; null without reminders */
  certificateDays: number | null;
  remindsOfDomain: boolean;
  /** milliseconds above which a response is slow; 0 without a limit */
  slowAfter: number;
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

/** What the exports of older versions do not contain. */
export const WITHOUT_VERSION_3 = {
  isVersion3: false,
  token: '',
  apiAssertions: {},
  dnsRecords: new Map<string, readonly string[]>(),
  ipVersion: null,
  ignoresCertificate: false,
  certificateDays: null,
  remindsOfDomain: false,
  slowAfter: 0,
} as const satisfies Partial<RobotMonitor>;

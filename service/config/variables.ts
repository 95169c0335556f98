import { isAccessToken } from '../../commands/sign-in/session-tokens.ts';
import { DNS_SERVER_SENTENCE, parseDnsServer } from '../../domain/check/dns-server.ts';
import { parseHostAndPort } from '../../domain/check/host.ts';
import { isPrivate, REGIONS, regionOf, type Region } from '../../domain/check/regions.ts';
import { parseRanges } from '../../domain/target/policy.ts';
import { parsePorts, type PortRange } from '../../domain/target/ports.ts';
import { relayOf } from '../../notifiers/email/relay.ts';
import { certificatesIn } from './certificates.ts';
import { otlpHeaders } from './otlp-headers.ts';
import { gatewayHeaders, gatewayUrl } from './sms-gateway.ts';
import { mailFromOf } from './mail-from.ts';
import { plansIn } from './plans.ts';
import { publicDomainOf } from './public-domain.ts';
import { sellerIn } from './seller.ts';

/** The declaration of an environment variable. */
interface Variable<T> {
  name: string;
  /** default as it would be written in the environment; a variable without a default is optional */
  default?: string;
  /** description for the table in docs/operate/configuration.md: one line of Markdown */
  meaning: string;
  /**
   * Parses the value.
   *
   * @throws Error the message continues a sentence that begins with the variable's name: "must be a number."
   */
  read: (text: string) => T;
}

const variable = <T, const V extends Variable<T>>(declaration: V): V => declaration;

const text = (value: string): string => value;

const wholeNumber =
  (from: number, to: number) =>
  (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= from && number <= to)) {
      throw new Error(`must be a whole number from ${from} to ${to}, not "${value}".`);
    }
    return number;
  };

/** Parses a number from 0 to 1. */
const share = (value: string): number => {
  const number = /^(?:\d+|\d*\.\d+)$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= 0 && number <= 1)) throw new Error(`must be a number from 0 to 1, not "${value}".`);
  return number;
};

const oneOf =
  <const T extends string>(...values: readonly T[]) =>
  (value: string): T => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}, not "${value}".`);
    return found;
  };

/** Parses a key that can be sent in a header. The error message omits the value, because it is secret. */
const headerKey = (value: string): string => {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new Error('must consist of visible ASCII characters without spaces.');
  return value;
};

const adminKey = (value: string): string => {
  if (isAccessToken(value)) throw new Error('must not look like the access token of a session (uta_…).');
  return headerKey(value);
};

const RUNNER_TOKEN = /^upr_[A-Za-z0-9_-]{43}$/;

/** Parses a runner token. The error message omits the value, because it is secret. */
const runnerToken = (value: string): string => {
  if (!RUNNER_TOKEN.test(value)) throw new Error('must be a runner token: upr_ and 43 letters, digits, "-" or "_".');
  return value;
};

const key32 = (value: string): Buffer => {
  const bytes = /^[0-9a-fA-F]{64}$/.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64');
  if (bytes.length !== 32) {
    throw new Error(
      'must be 32 bytes in base64 or as 64 hexadecimal digits, such as the output of `openssl rand -base64 32`.',
    );
  }
  return bytes;
};

const serverUrl =
  (...schemes: readonly string[]) =>
  (value: string): string => {
    if (!schemes.some((scheme) => value.startsWith(`${scheme}://`))) {
      throw new Error(`must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}.`);
    }
    return value;
  };

const httpUrl = (value: string): string => {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error(`must be a URL that begins with http:// or https://, not "${value}".`);
  }
  return value;
};

/**
 * Parses a URL.
 *
 * @returns the URL without a trailing slash
 */
const baseUrl = (value: string): string => {
  const url = httpUrl(value);
  if (!/^https?:\/\/[^?#@\s]+$/.test(url)) throw new Error('must not have a user, query or fragment.');
  return url.replace(/\/+$/, '');
};

const countryCodes = (value: string): ReadonlySet<string> => {
  const codes = value.split(',').map((code) => code.trim().toUpperCase());
  const wrong = codes.find((code) => !/^[A-Z]{2}$/.test(code));
  if (wrong !== undefined) throw new Error(`must be two-letter country codes, separated by commas, not "${wrong}".`);
  return new Set(codes);
};

/**
 * Creates a parser for a host with an optional port.
 *
 * @param port the port if the value contains none
 */
const hostAndPort =
  (port: number) =>
  (value: string): { host: string; port: number } => {
    const found = parseHostAndPort(value);
    if (!found) throw new Error(`must be a host name or an address, with or without a port, not "${value}".`);
    return { host: found.host, port: found.port ?? port };
  };

/**
 * Matches letters, digits, `_` and dots, with a dot at the end. None of these characters has a special meaning in URLs,
 * and only the dot has one in regular expressions.
 */
const PREFIX = /^(?:[A-Za-z0-9_]+\.)+$/;
const LONGEST_PREFIX = 64;

/**
 * Parses a prefix of stream names.
 *
 * @returns the prefix; the empty string for `none`
 */
const streamPrefix = (value: string): string => {
  if (value === 'none') return '';
  if (value.length > LONGEST_PREFIX || !PREFIX.test(value)) {
    throw new Error(
      `must consist of letters, digits and "_", end in a dot and have at most ${LONGEST_PREFIX} characters ` +
        `("status.", "status.eu."), or be "none" for no prefix, not "${value}".`,
    );
  }
  return value;
};

/**
 * Parses a list of aliases or ids of regions. Ids contain commas, so a list of ids is separated by semicolons.
 *
 * @returns an empty list for `none`
 */
const regions = (value: string): Region[] => {
  if (value === 'none') return [];
  const names = regionOf(value) ? [value] : value.split(value.includes(';') ? ';' : ',');
  const found = names.map((name) => {
    const region = regionOf(name.trim());
    // Only remote runners serve private locations.
    if (region && !isPrivate(region)) return region;
    const known = REGIONS.map(({ aliases }) => aliases[0]).join(', ');
    throw new Error(`names the region "${name.trim()}", which does not exist; use ${known}.`);
  });
  return [...new Set(found)];
};

/**
 * Checks a list of address ranges.
 *
 * @returns the list, unchanged
 */
const addressRanges = (value: string): string => {
  try {
    parseRanges(value);
  } catch (error) {
    throw new Error(`must be a list of addresses and CIDR ranges, separated by commas: ${(error as Error).message}`);
  }
  return value;
};

const portRanges = (value: string): PortRange[] => {
  try {
    return parsePorts(value);
  } catch (error) {
    throw new Error(
      `must be a list of ports and ranges such as 80,443,1024-65535, separated by commas: ${(error as Error).message}`,
    );
  }
};

const nameServers = (value: string): string[] => {
  const servers = value.split(',').map((server) => server.trim());
  const wrong = servers.find((server) => parseDnsServer(server) === null);
  if (wrong !== undefined) {
    throw new Error(
      `must be a list of name servers, separated by commas; "${wrong}" is not one. ${DNS_SERVER_SENTENCE}`,
    );
  }
  return servers;
};

/** Minimum number of anchors. With only two anchors, there would be no majority if one of them is down. */
const FEWEST_ANCHORS = 3;

const anchors = (value: string): { host: string; port: number }[] =>
  listed(value, FEWEST_ANCHORS).map((part) => {
    const found = parseHostAndPort(part);
    if (found?.port == null) throw new Error(`must be a list of host:port, separated by commas; "${part}" is not one.`);
    return { host: found.host, port: found.port };
  });

/** Splits a list and removes duplicates. */
const listed = (value: string, fewest: number): string[] => {
  const parts = [...new Set(value.split(',').map((part) => part.trim()))];
  if (parts.length < fewest) throw new Error(`must name at least ${fewest}, separated by commas.`);
  return parts;
};

const decimal = (value: string): number => {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(number > 0)) throw new Error(`must be a number above 0, not "${value}".`);
  return number;
};

/** Every environment variable, by its name in {@link Config}. */
export const VARIABLES = {
  port: variable({
    name: 'PORT',
    default: '3000',
    meaning: 'port of the HTTP server; `0` chooses a free one',
    read: wholeNumber(0, 65_535),
  }),
  host: variable({
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'address it listens on; `0.0.0.0` or `::` for all',
    read: text,
  }),
  dataDir: variable({ name: 'DATA_DIR', default: './data', meaning: 'folder of all stored data', read: text }),
  adminApiKey: variable({
    name: 'ADMIN_API_KEY',
    meaning:
      'admin key of the first organization. Another value at a later start replaces it; a revoked key stays revoked. Default: the first start generates a key, prints it once and writes it to `admin-api-key` in the data folder. Required in a cluster',
    read: adminKey,
  }),
  secretsKey: variable({
    name: 'SECRETS_KEY',
    meaning:
      'key that wraps the keys of personal data and secrets: 32 bytes in base64 or hexadecimal. Default: the first start generates one and writes it to `secrets-key` in the data folder. Required in a cluster',
    read: key32,
  }),
  logLevel: variable({
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  regions: variable({
    name: 'REGIONS',
    meaning:
      'regions whose checks this process runs, by alias (`eu-west1,in-mum1`) or by id (`EU, West;IN, Mumbai`); all by default. `none` leaves all of them to remote runners (docs/operate/runners.md)',
    read: regions,
  }),
  runnerConcurrency: variable({
    name: 'RUNNER_CONCURRENCY',
    default: '200',
    meaning:
      'how many checks of a region run concurrently. A check whose target does not respond occupies its slot until its timeout, so set this above the number that may hang at the same time',
    read: wholeNumber(1, 10_000),
  }),
  runnerProcesses: variable({
    name: 'RUNNER_PROCESSES',
    meaning:
      'maximum number of child processes that run checks. One is started at first, and more as concurrent runs require. Default: the number of processor cores',
    read: wholeNumber(1, 1_000),
  }),
  runnerBrowsers: variable({
    name: 'RUNNER_BROWSERS',
    meaning:
      'how many synthetic checks run concurrently in this process, each in its own browser, which may use 1 GiB of memory; further ones wait. Default: one for every two processor cores. Multistep checks: always two for each core',
    read: wholeNumber(1, 1_000),
  }),
  playwrightChromium: variable({
    name: 'PLAYWRIGHT_CHROMIUM',
    meaning:
      "path of the Chromium for synthetic checks. Default: Playwright's own if `npx playwright install` has installed one, otherwise Debian's",
    read: text,
  }),
  scriptSandbox: variable({
    name: 'SCRIPT_SANDBOX',
    default: 'on',
    meaning:
      '`on`: scripts of checks run in a sandbox; a machine without one does not run them. `off`: they run unprotected, with all rights of this process, so everybody who may write checks can read its data and keys. `/health` reports this while it is off',
    read: oneOf('on', 'off'),
  }),
  runnerAnchors: variable({
    name: 'RUNNER_ANCHORS',
    meaning:
      'three or more targets, `host:port` separated by commas, that practically always accept connections, such as name servers of different operators. When a check can’t reach its target, the runner connects to them (2 s): if most do not respond, the runner itself is cut off, and the result is ignored. Default: none',
    read: anchors,
  }),
  url: variable({
    name: 'UPTRAIL_URL',
    meaning:
      'URL of the service for commands that use its interface, such as `uptrail apply`; `--server` takes precedence. Default: the service on this machine, at `HOST` and `PORT`',
    read: baseUrl,
  }),
  apiKey: variable({
    name: 'UPTRAIL_API_KEY',
    meaning:
      'API key for commands that use the interface of a service. Default, for a service on this machine: `ADMIN_API_KEY`, or the key in `admin-api-key` in the data folder',
    read: headerKey,
  }),
  runnerToken: variable({
    name: 'UPTRAIL_RUNNER_TOKEN',
    meaning:
      'token of a remote runner (`uptrail run --server`), shown once by `uptrail runner create` or `POST /v1/runners`; `--token-file` names a file with it instead',
    read: runnerToken,
  }),
  runnerOfflineMinutes: variable({
    name: 'RUNNER_OFFLINE_MINUTES',
    default: '30',
    meaning:
      'how many minutes a remote runner continues scheduled checks while it can’t reach the service; it reports their results later. `0`: it runs nothing without the service',
    read: wholeNumber(0, 1_440),
  }),
  runnerSpoolMb: variable({
    name: 'RUNNER_SPOOL_MB',
    default: '64',
    meaning:
      'MiB of unreported results that a remote runner stores on disk, in `runner-spool` of `DATA_DIR`; the oldest are removed first',
    read: wholeNumber(1, 65_536),
  }),
  resultRetentionDays: variable({
    name: 'RESULT_RETENTION_DAYS',
    default: '183',
    meaning: 'how many whole UTC days check results are stored',
    read: wholeNumber(1, 36_500),
  }),
  auditClientRetentionMonths: variable({
    name: 'AUDIT_CLIENT_RETENTION_MONTHS',
    default: '13',
    meaning:
      'how many whole UTC months before the present one the addresses and user agents of clients that made changes are stored, whether with a key, in a session or as visitors. After that they read `[forgotten]` everywhere, permanently. `0`: unlimited',
    read: wholeNumber(0, 1_200),
  }),
  artifactsLimitMib: variable({
    name: 'ARTIFACTS_LIMIT_MIB',
    default: '1024',
    meaning:
      'MiB of files, such as screenshots, stored for each organization; the oldest are removed first. At most 20 files and 50 MiB are stored for one run',
    read: wholeNumber(1, 1_048_576),
  }),
  targetPolicy: variable({
    name: 'TARGET_POLICY',
    default: 'internal',
    meaning:
      'what checks may reach. `internal`: also private networks and loopback, but neither link-local addresses (with cloud metadata) nor multicast; `public`: only globally routable addresses',
    read: oneOf('internal', 'public'),
  }),
  targetAllow: variable({
    name: 'TARGET_ALLOW',
    meaning: 'addresses and CIDR ranges that checks may reach despite the policy, separated by commas',
    read: addressRanges,
  }),
  targetDeny: variable({
    name: 'TARGET_DENY',
    meaning: 'addresses and CIDR ranges that neither checks nor webhooks may ever reach, separated by commas',
    read: addressRanges,
  }),
  scriptPorts: variable({
    name: 'SCRIPT_PORTS',
    default: '80,443,1024-65535',
    meaning:
      'ports and ranges of ports that scripts of `synthetic` and `multistep` checks may connect to, separated by commas',
    read: portRanges,
  }),
  rdapBootstrapUrl: variable({
    name: 'RDAP_BOOTSTRAP_URL',
    default: 'https://data.iana.org/rdap/dns.json',
    meaning:
      'URL of the list of RDAP servers of registries (RFC 9224) for dns checks with `whois_lookup`; read once a day',
    read: httpUrl,
  }),
  whoisServer: variable({
    name: 'WHOIS_SERVER',
    default: 'whois.iana.org',
    meaning:
      'server that names the WHOIS server of a registry without RDAP, as `host` or `host:port`; registries are queried on the same port, 43 by default',
    read: hostAndPort(43),
  }),
  dnsServers: variable({
    name: 'DNS_SERVERS',
    meaning:
      "name servers for the records of the pages' e-mail domains, separated by commas, each as in `dns_servers` of a dns check: `192.0.2.1`, `192.0.2.1:5353`, `tls://dns.example.org`, `https://dns.example.org/dns-query`. Default: the system's",
    read: nameServers,
  }),
  webhookPolicy: variable({
    name: 'WEBHOOK_POLICY',
    default: 'internal',
    meaning:
      'what webhooks and channels of Slack and ntfy may reach: `internal` and `public` as in `TARGET_POLICY`, but without `TARGET_ALLOW`. `public` accepts https only',
    read: oneOf('internal', 'public'),
  }),
  deliveriesPerSecond: variable({
    name: 'DELIVERIES_PER_SECOND',
    default: '100',
    meaning: 'messages sent per second: at most this many webhooks, e-mails and SMS each',
    read: wholeNumber(1, 100_000),
  }),
  publicUrl: variable({
    name: 'PUBLIC_URL',
    meaning:
      'public URL of this service, such as `https://status.example.org`: links in messages begin with it, so without it no e-mail is sent. URLs in responses begin with it, or are only paths',
    read: baseUrl,
  }),
  publicDomain: variable({
    name: 'PUBLIC_DOMAIN',
    meaning:
      'the domain whose subdomains are status pages: with `status.example.org`, a page with the subdomain `acme` is at `acme.status.example.org`. The DNS records of all its subdomains must point to this service. Without it pages are at `/status/acme` of `PUBLIC_URL`, and at their custom domains',
    read: publicDomainOf,
  }),
  frontDoor: variable({
    name: 'FRONT_DOOR',
    default: 'pages',
    meaning:
      'what `/` shows: `pages`: the public status pages of all organizations by name, except those hidden from search; `plain`: no pages, only that the service is running, and links to its documentation',
    read: oneOf('pages', 'plain'),
  }),
  smtpUrl: variable({
    name: 'SMTP_URL',
    default: 'smtp://localhost',
    meaning:
      'the mail server for outgoing e-mail: `smtp://user:password@mail.example.org:587`, or `smtps://…` for TLS from the start. `?tls=required`, `offered` or `none` controls STARTTLS; by default it is required with a password, otherwise used if offered, and not used on this machine. `?connections=` (1 to 10, default 5) limits concurrent connections',
    read: relayOf,
  }),
  mailFrom: variable({
    name: 'MAIL_FROM',
    meaning:
      'sender of e-mail, such as `Acme Status <status@example.org>`: without it none is sent. Bounces go to the same address with a suffix, beginning with `+`, before the `@`',
    read: mailFromOf,
  }),
  subscriptionsPerMinute: variable({
    name: 'SUBSCRIPTIONS_PER_MINUTE',
    default: '5',
    meaning:
      'subscriptions per minute that a client address (IPv6: a network of 64 bits) may request without a key before it gets 429; each process with the duty `api` or `site` counts separately. `0`: no limit',
    read: wholeNumber(0, 1_000_000),
  }),
  unconfirmedPerHour: variable({
    name: 'UNCONFIRMED_PER_HOUR',
    default: '500',
    meaning:
      'unconfirmed subscriptions by clients without a key that a page accepts per hour before it responds with 429',
    read: wholeNumber(1, 1_000_000),
  }),
  confirmationsPerDay: variable({
    name: 'CONFIRMATIONS_PER_DAY',
    default: '3',
    meaning:
      'confirmation messages per day to one address, across all pages, and subscriptions per day of a webhook to one page before it gets 409; messages beyond that are not sent',
    read: wholeNumber(1, 50),
  }),
  smsGatewayUrl: variable({
    name: 'SMS_GATEWAY_URL',
    meaning:
      'HTTP gateway for SMS, such as `https://user:password@sms.example.org/messages`; without it none are sent. The placeholders `{to}` (the number, `+491711234567`), `{text}` and `{id}` (the same for each attempt) are replaced here and in `SMS_GATEWAY_BODY`',
    read: gatewayUrl,
  }),
  smsGatewayMethod: variable({
    name: 'SMS_GATEWAY_METHOD',
    default: 'POST',
    meaning: 'HTTP method of the gateway: `POST`, `PUT`, `PATCH`, or `GET`, which has no body',
    read: oneOf('POST', 'PUT', 'PATCH', 'GET'),
  }),
  smsGatewayHeaders: variable({
    name: 'SMS_GATEWAY_HEADERS',
    meaning:
      'headers for the gateway, as JSON: `{"Authorization": "Bearer …"}`. `Content-Type` is `application/json` by default',
    read: gatewayHeaders,
  }),
  smsGatewayBody: variable({
    name: 'SMS_GATEWAY_BODY',
    meaning:
      'body for the gateway; default: `{"to":"{to}","text":"{text}","id":"{id}"}`. Values are escaped for the `Content-Type`: JSON, a form, XML',
    read: text,
  }),
  smsCountries: variable({
    name: 'SMS_COUNTRIES',
    meaning: 'countries (ISO 3166-1 alpha-2, separated by commas) whose numbers can subscribe; all by default',
    read: countryCodes,
  }),
  smsDailyLimit: variable({
    name: 'SMS_DAILY_LIMIT',
    meaning:
      'confirmation SMS per UTC day, across all pages, before a number that subscribes gets 429; default: no limit',
    read: wholeNumber(0, 1_000_000_000),
  }),
  telegramApiUrl: variable({
    name: 'TELEGRAM_API_URL',
    default: 'https://api.telegram.org',
    meaning: 'Bot API for alert channels of the type `telegram`: that of Telegram, or a server of your own',
    read: baseUrl,
  }),
  maxApiUrl: variable({
    name: 'MAX_API_URL',
    default: 'https://platform-api.max.ru',
    meaning: 'bot API for alert channels of the type `max`',
    read: baseUrl,
  }),
  maxCaFile: variable({
    name: 'MAX_CA_FILE',
    meaning: 'file with certificates (PEM) of authorities to trust for `MAX_API_URL`, in addition to the usual ones',
    read: certificatesIn,
  }),
  pingsPerMinute: variable({
    name: 'PINGS_PER_MINUTE',
    default: '60',
    meaning:
      'pings per minute, and burst of pings, that a heartbeat accepts before further ones get 429. `0`: no limit',
    read: wholeNumber(0, 1_000_000),
  }),
  plans: variable({
    name: 'PLANS_FILE',
    meaning:
      'JSON file with the plans of organizations (docs/operate/plans.md); without one there is a single plan without limits',
    read: plansIn,
  }),
  invoiceSeller: variable({
    name: 'INVOICE_SELLER_FILE',
    meaning:
      'JSON file with the issuer of invoices for plans (docs/operate/plans.md); without one no plan can be bought',
    read: sellerIn,
  }),
  rateLimitPerSecond: variable({
    name: 'RATE_LIMIT_PER_SECOND',
    meaning: 'requests per second that an API key may make before it gets 429; default: no limit',
    read: decimal,
  }),
  unauthorizedPerMinute: variable({
    name: 'UNAUTHORIZED_PER_MINUTE',
    default: '1000',
    meaning:
      '401 responses per minute that a client address (IPv6: a network of 64 bits) may get before it gets 429; keys that have worked before still work from there. `0`: no limit',
    read: wholeNumber(0, 1_000_000),
  }),
  maxConnections: variable({
    name: 'MAX_CONNECTIONS',
    default: '5000',
    meaning: 'maximum number of open connections; further ones are closed',
    read: wholeNumber(1, 1_000_000),
  }),
  maxConnectionsPerAddress: variable({
    name: 'MAX_CONNECTIONS_PER_ADDRESS',
    default: '500',
    meaning:
      'the same for one client address (IPv6: a network of 64 bits); connections from `TRUST_PROXY` are not counted',
    read: wholeNumber(1, 1_000_000),
  }),
  maxVisitors: variable({
    name: 'MAX_VISITORS',
    default: '12000',
    meaning:
      'maximum number of open connections of status page visitors, in addition to `MAX_CONNECTIONS`; half of them from one address. `0`: visitors count like all other clients',
    read: wholeNumber(0, 1_000_000),
  }),
  maxStreams: variable({
    name: 'MAX_STREAMS',
    default: '2000',
    meaning:
      'maximum number of open streams of `GET /v1/events`, in addition to `MAX_CONNECTIONS`; half of them from one address, half for one organization. `0`: streams count like all other connections',
    read: wholeNumber(0, 1_000_000),
  }),
  trustProxy: variable({
    name: 'TRUST_PROXY',
    meaning:
      'addresses and CIDR ranges of reverse proxies in front of the service, separated by commas: for their requests, the right-most address in `X-Forwarded-For` that is not a proxy is the client',
    read: addressRanges,
  }),
  metricsToken: variable({
    name: 'METRICS_TOKEN',
    meaning: 'token required for `/metrics`, as `Authorization: Bearer <token>`',
    read: headerKey,
  }),
  metricsPort: variable({
    name: 'METRICS_PORT',
    meaning:
      'separate port for `/metrics`, on `HOST`: open to everybody who can reach it, unless `METRICS_TOKEN` is set; `0` chooses a free one',
    read: wholeNumber(0, 65_535),
  }),
  metricsChecks: variable({
    name: 'METRICS_CHECKS',
    default: '0',
    meaning:
      'maximum number of checks that `/metrics` describes, with up to three series each (docs/operate/watch.md#series-of-checks). `0`: none',
    read: wholeNumber(0, 100_000),
  }),
  otlpEndpoint: variable({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'URL of an OpenTelemetry collector that receives traces (OTLP over HTTP), such as `http://127.0.0.1:4318`; default: no traces (docs/operate/monitoring.md#traces)',
    read: baseUrl,
  }),
  otlpHeaders: variable({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    meaning: 'headers for the collector: `name=value`, separated by commas, values percent-encoded',
    read: otlpHeaders,
  }),
  otelServiceName: variable({
    name: 'OTEL_SERVICE_NAME',
    default: 'uptrail',
    meaning: 'name of the service in traces',
    read: text,
  }),
  tracesSampler: variable({
    name: 'OTEL_TRACES_SAMPLER',
    default: 'parentbased_always_on',
    meaning:
      'which traces are exported: `always_on`, `always_off`, `traceidratio`, or one of these after `parentbased_`, which adopts the decision of the caller if the request has one',
    read: oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
  }),
  tracesSamplerRatio: variable({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    meaning: 'share of the traces that `traceidratio` exports, from 0 to 1',
    read: share,
  }),
  readYourWritesTimeoutMs: variable({
    name: 'READ_YOUR_WRITES_TIMEOUT_MS',
    default: '2000',
    meaning: 'milliseconds that the response to a write waits for its read models before it becomes 202',
    read: wholeNumber(0, 60_000),
  }),
  eventStoreDbUrl: variable({
    name: 'EVENTSTOREDB_URL',
    meaning:
      'with `MONGODB_URL`: the cluster deployment, which stores its events there. `esdb://user:password@host:2113`, or `esdb+discover://…` for several nodes',
    read: serverUrl('esdb', 'esdb+discover'),
  }),
  eventStoreDbPrefix: variable({
    name: 'EVENTSTOREDB_PREFIX',
    default: 'uptrail.',
    meaning:
      'prefix of all stream names on EventStoreDB, so that a server can host several services and other programs: letters, digits, `_` and dots, ending in a dot. `none`: no prefix, for a server that only Uptrail uses',
    read: streamPrefix,
  }),
  mongoDbUrl: variable({
    name: 'MONGODB_URL',
    meaning:
      'with `EVENTSTOREDB_URL`: the cluster deployment, which stores its read models there. `mongodb://…` or `mongodb+srv://…`, with the database name as its path (default: `uptrail`)',
    read: serverUrl('mongodb', 'mongodb+srv'),
  }),
} as const;

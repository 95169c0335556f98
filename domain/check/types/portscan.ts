import { Type, type Static } from '@sinclair/typebox';
import { defineCheckType } from './check-type.ts';
import { AS_SENT, commonParameters, oneOf } from './common.ts';
import { orNull } from './metadata.ts';

/** A port number, from 1 to 65,535. */
const PORT = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
const RANGE = `${PORT}(?:-${PORT})?`;

/** Whether no range in a list of ports ends before it starts. */
const hasRangesInOrder = (ports: string): boolean =>
  ports.split(',').every((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return last === undefined || !(Number(first) > last);
  });

const DURATION = '^[1-9]\\d{0,6}(?:ms|s|m|h)$';
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a time in nmap's format; NaN if it is invalid. */
const millisecondsIn = (text: string): number =>
  new RegExp(DURATION).test(text) ? Number.parseInt(text, 10) * (UNITS[text.replace(/^\d+/, '')] ?? NaN) : NaN;

/** A time in nmap's format: `100ms`, `2s`, `5m`, `1h`. */
const duration = Type.String({ pattern: DURATION, sentence: 'Must be a time such as 100ms, 2s or 5m.' });

const DEFAULT_HOST_TIMEOUT = '5m';
const LONGEST_HOST_TIMEOUT_MS = 600_000;

/** How long a portscan may take, in milliseconds. */
const hostTimeoutMs = (parameters: Readonly<Record<string, unknown>>): number => {
  const { host_timeout: text = DEFAULT_HOST_TIMEOUT } = parameters;
  const given = typeof text === 'string' ? millisecondsIn(text) : NaN;
  return given <= LONGEST_HOST_TIMEOUT_MS ? given : LONGEST_HOST_TIMEOUT_MS;
};

export const RISK_LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Parameters of portscan checks (spec.md: parameters by type). */
export const PortscanParameters = Type.Object(
  {
    ...commonParameters,
    ports: Type.Optional(
      Type.String({
        maxLength: 1_000,
        default: 'top-ports:100',
        pattern: `^(?:top-ports:${PORT}|${RANGE}(?:,${RANGE})*)$`,
        check: hasRangesInOrder,
        sentence: 'Must be top-ports:100, or ports and ranges such as 22,80,8000-8100.',
      }),
    ),
    scan_type: Type.Optional({ ...oneOf(['syn', 'connect', 'udp']), default: 'syn' }),
    service_detection: Type.Optional(Type.Boolean({ default: true })),
    timing: Type.Optional({ ...oneOf(['T0', 'T1', 'T2', 'T3', 'T4', 'T5']), default: 'T3' }),
    host_timeout: Type.Optional({
      ...duration,
      default: DEFAULT_HOST_TIMEOUT,
      sentence: 'Must be a time of at most 10m, such as 90s or 5m.',
      check: (text: string) => millisecondsIn(text) <= LONGEST_HOST_TIMEOUT_MS,
    }),
    min_parallelism: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
    max_rtt_timeout: Type.Optional(duration),
    assertions: Type.Optional(
      Type.Object(
        {
          fail_on_vulnerabilities: Type.Optional(Type.Boolean()),
          min_risk_level: Type.Optional(oneOf(RISK_LEVELS)),
          expected_open_ports: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), { maxItems: 1_000 }),
          ),
        },
        AS_SENT,
      ),
    ),
  },
  AS_SENT,
);
export type PortscanParameters = Static<typeof PortscanParameters>;

/** `check_metadata` of portscan results. */
export const PortscanMetadata = Type.Object({
  target: Type.String(),
  execution_time: Type.Number(),
  scan_results: Type.Array(
    Type.Object({
      ip: Type.String(),
      hostname: orNull(Type.String()),
      state: Type.String(),
      open_ports: Type.Array(
        Type.Object({
          port: Type.Integer(),
          protocol: Type.String(),
          service: orNull(Type.String()),
          version: orNull(Type.String()),
          product: orNull(Type.String()),
          extrainfo: orNull(Type.String()),
        }),
      ),
      os_matches: Type.Array(Type.Unknown()),
    }),
  ),
  summary: Type.Object({
    total_hosts: Type.Integer(),
    hosts_up: Type.Integer(),
    hosts_down: Type.Integer(),
    total_open_ports: Type.Integer(),
  }),
  vulnerabilities: Type.Array(
    Type.Object({
      port: Type.Integer(),
      service: orNull(Type.String()),
      risk_level: oneOf(RISK_LEVELS),
      description: Type.String(),
      detected_version: orNull(Type.String()),
    }),
  ),
});
export type PortscanMetadata = Static<typeof PortscanMetadata>;

export const portscan = defineCheckType({
  name: 'portscan',
  target: { host: 'required' },
  parameters: PortscanParameters,
  metadata: PortscanMetadata,
  credits: 10,
  tools: ['nmap'],
  timeLimit: (_, parameters) => hostTimeoutMs(parameters),
});

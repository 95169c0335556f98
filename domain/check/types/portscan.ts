import { Type, type Static } from '@sinclair/typebox';
import type { Fields } from '../../fields.ts';
import { defineCheckType } from './check-type.ts';
import { KEEP_INPUT, commonParameters, oneOf } from './common.ts';
import { orNull } from './metadata.ts';
import { DEFAULT_RISK_LEVEL, RISK_LEVELS } from './portscan-risk.ts';
import {
  DEFAULT_HOST_TIMEOUT,
  DURATION,
  hostTimeoutMs,
  LONGEST_HOST_TIMEOUT_MS,
  millisecondsIn,
  SHORTEST_HOST_TIMEOUT_MS,
} from './portscan-times.ts';

/** A port number, from 1 to 65,535. */
const PORT = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
const RANGE = `${PORT}(?:-${PORT})?`;

/** Whether the start of every range in a list of ports is at most its end. */
const hasRangesInOrder = (ports: string): boolean =>
  ports.split(',').every((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return last === undefined || !(Number(first) > last);
  });

/** Returns the schema of a duration in nmap's format. `least` and `most` are in milliseconds. */
const duration = (least: number, most: number, sentence: string) =>
  Type.String({
    pattern: DURATION.source,
    check: (text: string) => millisecondsIn(text) >= least && millisecondsIn(text) <= most,
    sentence,
  });

/** Parameters of portscan checks (docs/reference/portscan-checks.md#parameters). */
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
      ...duration(
        SHORTEST_HOST_TIMEOUT_MS,
        LONGEST_HOST_TIMEOUT_MS,
        'Must be a time from 1s to 10m, such as 90s or 5m.',
      ),
      default: DEFAULT_HOST_TIMEOUT,
      description: 'maximum duration of the whole scan; `timeout` does not apply',
    }),
    min_parallelism: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
    // 5 ms is the minimum that nmap accepts.
    max_rtt_timeout: Type.Optional(
      duration(5, LONGEST_HOST_TIMEOUT_MS, 'Must be a time from 5ms to 10m, such as 100ms or 2s.'),
    ),
    assertions: Type.Optional(
      Type.Object(
        {
          fail_on_vulnerabilities: Type.Optional(Type.Boolean({ default: false })),
          min_risk_level: Type.Optional({
            ...oneOf(RISK_LEVELS),
            default: DEFAULT_RISK_LEVEL,
            description: 'risks below it do not fail the check',
          }),
          expected_open_ports: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
              maxItems: 1_000,
              description: 'scanned in addition to `ports`; the check fails if one is not open',
            }),
          ),
          only_expected_ports: Type.Optional(
            Type.Boolean({
              default: false,
              description: 'whether the check fails if a port is open that is not in `expected_open_ports`',
            }),
          ),
        },
        KEEP_INPUT,
      ),
    ),
  },
  KEEP_INPUT,
);
export type PortscanParameters = Static<typeof PortscanParameters>;

/** `check_metadata` of portscan results; at most 64 KiB. */
export const PortscanMetadata = Type.Object({
  target: Type.String(),
  /** seconds */
  execution_time: Type.Number(),
  scan_results: Type.Array(
    Type.Object({
      ip: Type.String(),
      /** null if the target is an IP address */
      hostname: orNull(Type.String()),
      /** `up` if any port responded, open or closed; otherwise `down` */
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
      /** always empty: operating systems are not detected */
      os_matches: Type.Array(Type.Unknown()),
    }),
  ),
  summary: Type.Object({
    total_hosts: Type.Integer(),
    hosts_up: Type.Integer(),
    hosts_down: Type.Integer(),
    /** the number of all open ports; `open_ports` might list only the lowest ones */
    total_open_ports: Type.Integer(),
  }),
  vulnerabilities: Type.Array(
    Type.Object({
      port: Type.Integer(),
      service: orNull(Type.String()),
      risk_level: Type.Union(RISK_LEVELS.map((level) => Type.Literal(level))),
      description: Type.String(),
      detected_version: orNull(Type.String()),
    }),
  ),
  /** sentences about parts of the scan that were changed or skipped */
  notes: Type.Array(Type.String()),
  /** whether entries were omitted because of the size limit */
  truncated: Type.Optional(Type.Literal(true)),
});
export type PortscanMetadata = Static<typeof PortscanMetadata>;

/** Removes services, versions and vulnerabilities: scan results are sensitive, so viewers get only ports and states. */
const portsOnly = (metadata: Fields): Fields => {
  const { target, execution_time, scan_results = [], summary, truncated } = metadata as Partial<PortscanMetadata>;
  return {
    target,
    execution_time,
    scan_results: scan_results.map(({ ip, hostname, state, open_ports }) => ({
      ip,
      hostname,
      state,
      open_ports: open_ports.map(({ port, protocol }) => ({ port, protocol })),
    })),
    summary,
    ...(truncated && { truncated }),
  };
};

export const portscan = defineCheckType({
  name: 'portscan',
  target: { host: 'required' },
  parameters: PortscanParameters,
  metadata: PortscanMetadata,
  publicMetadata: portsOnly,
  credits: 10,
  timesAnswers: false,
  tools: ['nmap'],
  timeLimit: (_, parameters) => hostTimeoutMs(parameters),
});

import { Type, type Static } from '@sinclair/typebox';
import { AS_SENT, commonParameters, oneOf } from './common.ts';

/** A number of ports, from 1 to 65,535. */
const PORT = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
const RANGE = `${PORT}(?:-${PORT})?`;

/** A time as nmap takes it: `100ms`, `2s`, `5m`, `1h`. */
const duration = Type.String({
  pattern: '^[1-9]\\d{0,6}(?:ms|s|m|h)$',
  sentence: 'Must be a time such as 100ms, 2s or 5m.',
});

export const RISK_LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Parameters of portscan checks (spec.md: parameters by type). */
export const PortscanParameters = Type.Object(
  {
    ...commonParameters,
    /** default `top-ports:100` */
    ports: Type.Optional(
      Type.String({
        maxLength: 1_000,
        pattern: `^(?:top-ports:${PORT}|${RANGE}(?:,${RANGE})*)$`,
        sentence: 'Must be top-ports:100, or ports and ranges such as 22,80,8000-8100.',
      }),
    ),
    /** default `syn` */
    scan_type: Type.Optional(oneOf(['syn', 'connect', 'udp'])),
    /** default true */
    service_detection: Type.Optional(Type.Boolean()),
    /** default T3 */
    timing: Type.Optional(oneOf(['T0', 'T1', 'T2', 'T3', 'T4', 'T5'])),
    /** default `5m` */
    host_timeout: Type.Optional(duration),
    /** default 100 */
    min_parallelism: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
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

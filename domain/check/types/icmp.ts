import { Type, type Static } from '@sinclair/typebox';
import { defineCheckType } from './check-type.ts';
import { KEEP_INPUT, commonParameters, oneOf } from './common.ts';
import { orNull } from './metadata.ts';

/** Parameters of icmp checks (docs/reference/icmp-checks.md#parameters). */
export const IcmpParameters = Type.Object(
  {
    ...commonParameters,
    probe_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 4 })),
    /** `auto` prefers IPv6 */
    ip_version: Type.Optional({ ...oneOf(['v4', 'v6', 'auto']), default: 'auto' }),
    /** seconds between probes */
    probe_interval: Type.Optional(Type.Number({ minimum: 0.001, maximum: 10, default: 1 })),
    /** seconds until a probe counts as lost */
    probe_timeout: Type.Optional(Type.Number({ minimum: 0.1, maximum: 30, default: 1 })),
    assertions: Type.Optional(
      Type.Object(
        {
          /** percent */
          max_packet_loss: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
        },
        KEEP_INPUT,
      ),
    ),
  },
  KEEP_INPUT,
);
export type IcmpParameters = Static<typeof IcmpParameters>;

/** `check_metadata` of icmp results. */
export const IcmpMetadata = Type.Object({
  original_host: Type.String(),
  /** the probed IP address; null if the host name has none */
  resolved_ip: orNull(Type.String()),
  ip_version_used: orNull(oneOf(['v4', 'v6'])),
  probe_count: Type.Integer(),
  /** fewer than `probe_count` if the check's timeout is too short for all probes */
  probes_sent: Type.Integer(),
  /** seconds */
  probe_interval: Type.Number(),
  /** seconds */
  probe_timeout: Type.Number(),
  /** percentage from 0 to 100 */
  packet_loss_percent: Type.Number(),
  /** times in milliseconds; null if no probe was answered */
  latency_stats: Type.Object({
    avg: orNull(Type.Number()),
    min: orNull(Type.Number()),
    max: orNull(Type.Number()),
    /** standard deviation of the population */
    stddev: orNull(Type.Number()),
    /** latencies of the answered probes */
    latencies: Type.Array(Type.Number()),
  }),
});
export type IcmpMetadata = Static<typeof IcmpMetadata>;

export const icmp = defineCheckType({
  name: 'icmp',
  target: { host: 'required' },
  parameters: IcmpParameters,
  metadata: IcmpMetadata,
  credits: 1,
  tools: ['fping'],
});

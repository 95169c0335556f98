import { Type, type Static } from '@sinclair/typebox';
import { AS_SENT, commonParameters, oneOf } from './common.ts';

/** Parameters of icmp checks (spec.md: parameters by type). */
export const IcmpParameters = Type.Object(
  {
    ...commonParameters,
    probe_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 4 })),
    /** `auto` prefers v6 */
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
        AS_SENT,
      ),
    ),
  },
  AS_SENT,
);
export type IcmpParameters = Static<typeof IcmpParameters>;

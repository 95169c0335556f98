import { Type, type Static } from '@sinclair/typebox';
import { AS_SENT, commonParameters, oneOf } from './common.ts';

/** Parameters of icmp checks (spec.md: parameters by type). */
export const IcmpParameters = Type.Object(
  {
    ...commonParameters,
    /** default 4 */
    probe_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    /** default `auto`, which prefers v6 */
    ip_version: Type.Optional(oneOf(['v4', 'v6', 'auto'])),
    /** seconds between probes, default 1.0 */
    probe_interval: Type.Optional(Type.Number({ minimum: 0.001, maximum: 10 })),
    /** seconds until a probe counts as lost, default 1.0 */
    probe_timeout: Type.Optional(Type.Number({ minimum: 0.1, maximum: 30 })),
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

import { Type, type Static } from '@sinclair/typebox';
import { AS_SENT, commonParameters } from './common.ts';

/** Parameters of ssl checks (spec.md: parameters by type). */
export const SslParameters = Type.Object(
  {
    ...commonParameters,
    assertions: Type.Optional(
      Type.Object(
        {
          /** a score below it fails the check */
          ssl_score: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
          /** seconds before the certificate expires at which to warn */
          expiration_threshold: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000 })),
        },
        AS_SENT,
      ),
    ),
  },
  AS_SENT,
);
export type SslParameters = Static<typeof SslParameters>;

import { Type } from '@sinclair/typebox';

/** Parameters that every type takes (spec.md: parameters by type). */
export const commonParameters = {
  /** region ids or aliases; the default region when absent or empty */
  regions: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
  multi_region_execution: Type.Optional(
    Type.Object({
      enabled: Type.Boolean(),
      execution_mode: Type.Unsafe<'all' | 'random_n'>({ type: 'string', enum: ['all', 'random_n'] }),
      /** regions picked by `random_n` */
      count: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  ),
  /** a failed scheduled run is repeated once before it counts */
  retry_enabled: Type.Optional(Type.Boolean()),
};

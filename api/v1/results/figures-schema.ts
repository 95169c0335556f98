import { Type } from '@sinclair/typebox';
import { InstantOut, named, nullable } from '../../schema.ts';

const amount = Type.Integer({ minimum: 0 });

/** Figures of the runs of a check (decisions.md: Checks). */
export const UptimeSummary = named(
  'UptimeSummary',
  Type.Object({
    uptime_percentage: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'null without a result' })),
    total_checks: amount,
    successful_checks: amount,
    failed_checks: amount,
    avg_response_time: nullable(Type.Integer({ minimum: 0, description: 'milliseconds; null without one' })),
  }),
);

export const UptimeHour = named('UptimeHour', Type.Object({ timestamp: InstantOut, ...UptimeSummary.properties }));

export const RegionalResponseTimes = named(
  'ResponseTimes',
  Type.Object({
    timestamp: InstantOut,
    region: Type.String(),
    average: amount,
    p95: amount,
    p99: amount,
    count: Type.Integer({ minimum: 1 }),
  }),
);

export const StatusBucket = named(
  'StatusBucket',
  Type.Object({ timestamp: InstantOut, region: Type.String(), ok: amount, down: amount, failed: amount }),
);

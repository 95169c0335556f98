import { Type } from '@sinclair/typebox';
import { PERCENTILES_DESCRIPTION } from '../../../domain/check-result/response-times.ts';
import { InstantOut, namedSchema, nullable } from '../../schema.ts';

const amount = Type.Integer({ minimum: 0 });

/** Creates the schema of a percentile of response times, in milliseconds. */
export const percentile = (percent: number) =>
  Type.Integer({
    minimum: 0,
    description: `Milliseconds that ${percent} % of the response times do not exceed; ${PERCENTILES_DESCRIPTION}`,
  });

/** Availability and response time of the runs of a check (docs/reference/results.md#uptime-of-a-check). */
export const UptimeSummary = namedSchema(
  'UptimeSummary',
  Type.Object({
    uptime_percentage: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'Null without results.' })),
    total_checks: amount,
    successful_checks: amount,
    failed_checks: amount,
    avg_response_time: nullable(
      Type.Integer({ minimum: 0, description: 'In milliseconds. Null without measurements.' }),
    ),
  }),
);

export const UptimeHour = namedSchema(
  'UptimeHour',
  Type.Object({ timestamp: InstantOut, ...UptimeSummary.properties }),
);

export const RegionalResponseTimes = namedSchema(
  'ResponseTimes',
  Type.Object({
    timestamp: InstantOut,
    region: Type.String(),
    average: amount,
    p95: percentile(95),
    p99: percentile(99),
    count: Type.Integer({ minimum: 1 }),
  }),
);

export const StatusBucket = namedSchema(
  'StatusBucket',
  Type.Object({ timestamp: InstantOut, region: Type.String(), ok: amount, down: amount, failed: amount }),
);

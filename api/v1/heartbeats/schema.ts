import { Type } from '@sinclair/typebox';
import { HEARTBEAT_DEFAULTS } from '../../../domain/heartbeat/decide.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import {
  withCheck,
  choice,
  withDefaults,
  Id,
  InstantOut,
  ManagedBy,
  namedSchema,
  nullable,
  partial,
  Revision,
  Tags,
  text,
} from '../../schema.ts';
import { DAY_SECONDS } from '../../../domain/time.ts';

const seconds = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });

/** The fields of a heartbeat that a client can set. */
const fields = {
  name: text(255, { min: 1 }),
  // The schema has no maximum. If a heartbeat has a schedule, its period is computed and can exceed 90 days, and
  // clients can send back this period.
  period_seconds: nullable(
    Type.Integer({
      minimum: 60,
      description: 'Seconds between two pings, at most 90 days. Null if there is a schedule.',
    }),
  ),
  schedule: nullable(
    text(100, {
      min: 1,
      description:
        'When pings are expected: a cron expression of five fields as in crontab(5), or a nickname such as @daily. Null ' +
        'if there is a period.',
    }),
  ),
  time_zone: withCheck(
    text(64, { min: 1, description: 'The time zone of the schedule, such as Europe/Moscow.' }),
    isTimeZone,
    'Must be the name of a time zone.',
  ),
  grace_seconds: seconds(60, 90 * DAY_SECONDS, 'How many seconds late a ping may arrive.'),
  max_duration: nullable(
    seconds(1, 90 * DAY_SECONDS, 'Seconds from the start of a run after which it counts as failed. Null for no limit.'),
  ),
  active: Type.Boolean(),
  tags: Tags,
  managed_by: ManagedBy,
};

export const NewHeartbeat = Type.Object({
  ...withDefaults(fields, { ...HEARTBEAT_DEFAULTS, tags: [] }),
  name: fields.name,
});
export const HeartbeatChange = partial(Type.Object(fields));

export const Ping = namedSchema(
  'Ping',
  Type.Object({
    id: Id,
    check_id: Id,
    kind: choice(['success', 'start', 'fail']),
    received_at: InstantOut,
    duration: nullable(Type.Number({ description: 'Duration of the run that this ping ended, in seconds.' })),
    source_ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    ping_data: nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The JSON object that was sent. Any other body is in the field `text`.',
      }),
    ),
  }),
);

/** See docs/reference/heartbeats.md#heartbeat-fields. */
export const Heartbeat = namedSchema(
  'Heartbeat',
  Type.Object({
    id: Id,
    ...fields,
    period_seconds: Type.Integer({
      minimum: 60,
      description: 'Seconds between two pings. With a schedule, the shortest interval between two of its times.',
    }),
    status: nullable(choice(['up', 'grace', 'down', 'paused'])),
    ping_url: Type.String({ examples: ['https://status.example.org/v1/heartbeats/k3v9x0q2m7ab/ping'] }),
    last_ping_at: nullable(InstantOut),
    next_expected_ping: nullable(InstantOut),
    revision: Revision,
    created_at: InstantOut,
    updated_at: InstantOut,
    recent_pings: Type.Optional(
      Type.Array(Ping, { description: 'The latest ten pings. Present only in the response for one heartbeat.' }),
    ),
  }),
);

export const PingCounts = Type.Object({
  ping_counts: Type.Array(Type.Object({ hour: InstantOut, ping_count: Type.Integer({ minimum: 0 }) })),
  summary: Type.Object({
    hours: Type.Integer(),
    total_pings: Type.Integer(),
    hours_without_pings: Type.Integer(),
  }),
});

/** Response to a ping (docs/reference/heartbeats.md#ping-requests). */
export const PingResponse = namedSchema(
  'Pinged',
  Type.Object({
    status: choice(['ok']),
    message: Type.String(),
    check_id: Id,
    next_expected_ping: nullable(InstantOut),
  }),
);

import { Type, type Static } from '@sinclair/typebox';
import type { OverviewRow as CheckRow } from '../../../queries/overview/overview.ts';
import { Id, choice, named, nullable } from '../../schema.ts';
import { Alert } from '../alerts/schema.ts';
import { OverviewRow } from '../checks/overview-schema.ts';
import { Heartbeat } from '../heartbeats/schema.ts';
import { Incident } from '../incidents/schema.ts';
import { CHANGE_KINDS } from './changes.ts';

/** What the lists of these resources show, without what is long. */
export const AlertRow = named(
  'AlertRow',
  Type.Pick(Alert, [
    'id',
    'title',
    'status',
    'severity',
    'is_active',
    'rule_id',
    'rule_name',
    'check_id',
    'check_name',
    'fired_at',
    'acknowledged_at',
    'acknowledged_by_id',
    'resolved_at',
    'resolved_by_id',
    'resolution',
  ]),
);

export const HeartbeatRow = named('HeartbeatRow', Type.Omit(Heartbeat, ['recent_pings']));

export const IncidentRow = named(
  'IncidentRow',
  Type.Object({
    ...Type.Pick(Incident, [
      'id',
      'page_id',
      'name',
      'status',
      'impact',
      'monitoring_at',
      'resolved_at',
      'scheduled_for',
      'scheduled_until',
      'created_at',
      'updated_at',
    ]).properties,
    component_ids: Type.Array(Id),
  }),
);

export type Row = CheckRow | Static<typeof AlertRow> | Static<typeof HeartbeatRow> | Static<typeof IncidentRow>;

const row = Type.Unsafe<Row>({
  anyOf: [OverviewRow, AlertRow, HeartbeatRow, IncidentRow],
  description: 'what a list shows of a check, alert, heartbeat or incident, as of now; absent: read the resource',
});

export const EventChange = named(
  'EventChange',
  Type.Object({
    resource: Type.String({ examples: ['check'], description: 'as `resource_type` in the audit log' }),
    id: Type.String(),
    page_id: nullable(Type.String({ description: 'the page that the resource is below; null: it is below none' })),
    change: choice(CHANGE_KINDS),
    row: Type.Optional(row),
  }),
);

/** The data of an event `change`. */
export const EventChanges = named(
  'EventChanges',
  Type.Object(
    { changes: Type.Array(EventChange) },
    {
      description:
        'The data of an event `change`. Other events: `ready`, from here on nothing is missed; `reset`, load ' +
        '`{ resources }` again, a list of names, or null for all; `beat`, the stream is alive. The id of each is a ' +
        'position: send the last one as `Last-Event-ID` to get what has changed since.',
    },
  ),
);

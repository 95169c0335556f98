import { Type, type Static } from '@sinclair/typebox';
import type { OverviewRow as CheckRow } from '../../../queries/overview/overview.ts';
import { Id, choice, namedSchema, nullable } from '../../schema.ts';
import { Alert } from '../alerts/schema.ts';
import { OverviewRow } from '../checks/overview-schema.ts';
import { Heartbeat } from '../heartbeats/schema.ts';
import { Incident } from '../incidents/schema.ts';
import { CHANGE_KINDS } from './changes.ts';

/** Rows of lists, without long fields. */
export const AlertRow = namedSchema(
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

export const HeartbeatRow = namedSchema('HeartbeatRow', Type.Omit(Heartbeat, ['recent_pings']));

export const IncidentRow = namedSchema(
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
  description:
    'The current list row of a check, alert, heartbeat or incident. If it is absent, read the resource itself.',
});

export const EventChange = namedSchema(
  'EventChange',
  Type.Object({
    resource: Type.String({ examples: ['check'], description: 'As `resource_type` in the audit log.' }),
    id: Type.String(),
    page_id: nullable(
      Type.String({ description: 'The page that the resource belongs to. Null if it belongs to none.' }),
    ),
    change: choice(CHANGE_KINDS),
    row: Type.Optional(row),
  }),
);

/** The data of an event `change`. */
export const EventChanges = namedSchema(
  'EventChanges',
  Type.Object(
    { changes: Type.Array(EventChange) },
    {
      description:
        'The data of an event `change`. There are three other events: after `ready`, no change is missed; `reset` asks ' +
        'the client to reload the kinds of resources in `{ resources }`, or all of them if it is null; `beat` shows that ' +
        'the stream is alive. The id of each event is a position: send the last one as `Last-Event-ID` to get the ' +
        'changes since.',
    },
  ),
);

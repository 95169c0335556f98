import { Type, type Static } from '@sinclair/typebox';
import { statisticsOf } from '../../../domain/execution-group/state.ts';
import type { ExecutionGroupDocument } from '../../../projections/execution-groups/projection.ts';
import { choice, Id, InstantOut, namedSchema, nullable } from '../../schema.ts';

export const GROUP_STATUSES = ['running', 'completed', 'failed', 'timeout'] as const;

export const milliseconds = Type.Integer({ minimum: 0, description: 'In milliseconds.' });
const whole = Type.Integer({ minimum: 0 });

/** Fields of the result of one region, shared by execution groups and jobs. */
export const regionalOutcome = {
  status: choice(['ok', 'failed', 'timeout']),
  response_time: nullable(milliseconds),
  error_message: nullable(Type.String()),
};

export const Statistics = namedSchema(
  'ExecutionStatistics',
  Type.Object({
    total_executions: { ...whole, description: 'Number of regions.' },
    completed_executions: { ...whole, description: 'Number of regions that are ok.' },
    failed_executions: { ...whole, description: 'Number of regions that failed, timed out or delivered no result.' },
    avg_response_time: nullable(milliseconds),
    min_response_time: nullable(milliseconds),
    max_response_time: nullable(milliseconds),
  }),
);

/** See docs/reference/regions.md#regional-results. */
export const RegionalResult = namedSchema(
  'RegionalResult',
  Type.Object({
    result_id: nullable(Id),
    region: Type.String(),
    ...regionalOutcome,
    created_at: InstantOut,
  }),
);

/** See docs/reference/regions.md#execution-groups. */
export const ExecutionGroup = namedSchema(
  'ExecutionGroup',
  Type.Object({
    id: Id,
    check_id: nullable(Id),
    organization_id: Id,
    execution_mode: choice(['all', 'random_n']),
    execution_type: choice(['scheduled', 'on_demand']),
    status: choice(GROUP_STATUSES),
    requested_regions: Type.Array(Type.String()),
    regional_summary: Type.Record(Type.String(), Type.Object(regionalOutcome), {
      description: 'Results by region id.',
    }),
    statistics: Statistics,
    created_at: InstantOut,
    started_at: nullable(InstantOut),
    completed_at: nullable(InstantOut),
    timeout_at: nullable(InstantOut),
    triggered_by_user_id: nullable(Type.String()),
  }),
);

/** Converts an execution group to its form in responses. The timeout is shown only for groups of scheduled runs. */
export const presentExecutionGroup = (group: ExecutionGroupDocument): Static<typeof ExecutionGroup> => ({
  id: group.id,
  check_id: group.check_id,
  organization_id: group.organization_id,
  execution_mode: group.execution_mode,
  execution_type: group.execution_type,
  status: group.status,
  requested_regions: [...group.requested_regions],
  regional_summary: Object.fromEntries(
    group.regional_results.map(({ region, status, response_time, error_message }) => [
      region,
      { status, response_time, error_message },
    ]),
  ),
  statistics: statisticsOf(group),
  created_at: group.created_at,
  started_at: group.started_at,
  completed_at: group.completed_at,
  timeout_at: group.execution_type === 'scheduled' ? group.timeout_at : null,
  triggered_by_user_id: group.triggered_by_user_id,
});

import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { CheckRunCompleted } from '../check-result/events.ts';
import { regionalStatusOf, statisticsOf, type ExecutionGroup } from '../execution-group/state.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const milliseconds = nullable(Type.Integer());
const count = Type.Integer();

const outcome = {
  /** id of the region */
  region: Type.String(),
  status: Type.Union([Type.Literal('ok'), Type.Literal('failed'), Type.Literal('timeout')]),
  response_time: milliseconds,
  error_message: nullable(Type.String()),
};

/** The outcome of a run in one region (docs/reference/jobs.md#result-of-one-region). */
export const SingleResult = Type.Object({ result_id: Type.String(), ...outcome });
export type SingleResult = Static<typeof SingleResult>;

/** The outcome of a multi-region run (docs/reference/jobs.md#result-of-several-regions). */
export const GroupResult = Type.Object({
  execution_group_id: Type.String(),
  /** `completed`: all regions are ok; `failed`: no region is ok; `partial`: some regions are ok */
  status: Type.Union([Type.Literal('completed'), Type.Literal('failed'), Type.Literal('partial')]),
  total_regions: count,
  /** number of regions with status ok */
  completed_regions: count,
  /** number of all other regions */
  failed_regions: count,
  /** average of all response times; null if there are no response times */
  avg_response_time: milliseconds,
  min_response_time: milliseconds,
  max_response_time: milliseconds,
  /** `result_id` is null for a region that reported no result in time */
  regional_summary: Type.Array(Type.Object({ result_id: nullable(Type.String()), ...outcome })),
});
export type GroupResult = Static<typeof GroupResult>;

export const JobResult = Type.Union([SingleResult, GroupResult]);
export type JobResult = Static<typeof JobResult>;

/** Returns the result of a job that ran in one region. */
export const singleResultOf = (data: CheckRunCompleted): SingleResult => ({
  result_id: data.result_id,
  region: data.region,
  status: regionalStatusOf(data),
  response_time: data.response_time,
  error_message: data.error_message,
});

type EndedGroup = Pick<ExecutionGroup, 'id' | 'requested_regions' | 'regional_results'>;

/** Returns the result of a multi-region job whose group has ended. */
export const groupResultOf = (group: EndedGroup): GroupResult => {
  const { total_executions: total, completed_executions: good, ...statistics } = statisticsOf(group);
  return {
    execution_group_id: group.id,
    status: good === total ? 'completed' : good === 0 ? 'failed' : 'partial',
    total_regions: total,
    completed_regions: good,
    failed_regions: statistics.failed_executions,
    avg_response_time: statistics.avg_response_time,
    min_response_time: statistics.min_response_time,
    max_response_time: statistics.max_response_time,
    regional_summary: group.regional_results.map(({ result_id, region, status, response_time, error_message }) => ({
      result_id,
      region,
      status,
      response_time,
      error_message,
    })),
  };
};

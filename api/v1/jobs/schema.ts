import { Type } from '@sinclair/typebox';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { choice, Id, InstantOut, namedSchema, nullable } from '../../schema.ts';
import { milliseconds, regionalOutcome } from '../execution-groups/schema.ts';

export const JOB_STATUSES = ['queued', 'started', 'completed', 'failed'] as const;

/** Response to both kinds of on-demand runs (docs/reference/jobs.md#endpoints). */
export const QueuedJob = namedSchema(
  'QueuedJob',
  Type.Object({ job_id: Id, message: Type.String(), status: choice(['queued']) }),
);

const count = Type.Integer({ minimum: 0 });

const SingleResult = namedSchema(
  'JobResult',
  Type.Object({ result_id: Id, region: Type.String({ description: 'The id of the region.' }), ...regionalOutcome }),
);

const GroupResult = namedSchema(
  'JobResultOfSeveralRegions',
  Type.Object({
    execution_group_id: Id,
    status: choice(['completed', 'failed', 'partial'], {
      description: '`completed` if all regions are ok, `partial` if some are, `failed` if none is.',
    }),
    total_regions: count,
    completed_regions: { ...count, description: 'Number of regions that are ok.' },
    failed_regions: { ...count, description: 'Number of all other regions.' },
    avg_response_time: nullable(milliseconds),
    min_response_time: nullable(milliseconds),
    max_response_time: nullable(milliseconds),
    regional_summary: Type.Array(
      Type.Object({
        result_id: nullable(Id),
        region: Type.String({ description: 'The id of the region.' }),
        ...regionalOutcome,
      }),
    ),
  }),
);

/** See docs/reference/jobs.md#job-fields. */
export const Job = namedSchema(
  'Job',
  Type.Object({
    id: Id,
    check_id: nullable(Id),
    check_parameters: Type.Object(
      {
        name: Type.String(),
        type: choice(CHECK_TYPE_NAMES),
        url: nullable(Type.String()),
        host: nullable(Type.String()),
        port: nullable(Type.Integer()),
        timeout: Type.Number({ description: 'In seconds.' }),
        parameters: Type.Record(Type.String(), Type.Unknown()),
      },
      { description: 'The definition of the run, as it was when the run was requested.' },
    ),
    job_type: choice(['existing_check', 'custom_check']),
    status: choice(JOB_STATUSES),
    created_at: InstantOut,
    started_at: nullable(InstantOut),
    completed_at: nullable(InstantOut),
    error_message: nullable(Type.String({ description: 'Why the run was not possible.' })),
    result: nullable(Type.Union([SingleResult, GroupResult])),
  }),
);

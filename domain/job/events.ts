import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { CheckTypeName, StoredParameters } from '../check/events.ts';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { JobResult } from './result.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** `existing_check`: a job that runs a stored check; `custom_check`: a job that runs a definition from the request. */
export const JobType = Type.Union([Type.Literal('existing_check'), Type.Literal('custom_check')]);
export type JobType = Static<typeof JobType>;

/** The definition of the check at the time of the request, with sealed secrets. */
export const JobDefinition = Type.Object({
  name: Type.String(),
  type: CheckTypeName,
  url: nullable(Type.String()),
  host: nullable(Type.String()),
  port: nullable(Type.Integer()),
  /** timeout in seconds, with fractions */
  timeout: Type.Number(),
  parameters: StoredParameters,
});
export type JobDefinition = Static<typeof JobDefinition>;

/** Events of an on-demand run, in the stream `job-{job_id}` of the main log. */
export const jobEvents = {
  JobQueued: {
    version: 2,
    data: Type.Object({
      job_id: Type.String(),
      organization_id: Type.String(),
      job_type: JobType,
      /** null if the request contained the definition, so that the job belongs to no stored check */
      check_id: nullable(Type.String()),
      check_parameters: JobDefinition,
      /** the user who requested the job; null if the API key belongs to no user */
      user_id: nullable(Type.String()),
    }),
  },
  /** The run of the job is being sent to the queues of its regions. */
  JobOffered: { version: 1, data: Type.Object({ job_id: Type.String(), run_id: Type.String() }) },
  /**
   * The first runner has started the job. In events from before `JobOffered` existed: the run was sent to the queues.
   */
  JobStarted: { version: 1, data: Type.Object({ job_id: Type.String(), run_id: Type.String() }) },
  /** The run has ended with a result, whether success or failure. */
  JobCompleted: { version: 1, data: Type.Object({ job_id: Type.String(), result: JobResult }) },
  /** The run could not start. */
  JobFailed: { version: 1, data: Type.Object({ job_id: Type.String(), error_message: Type.String() }) },
} as const satisfies EventDefinitions;

export type JobEvent = EventsOf<typeof jobEvents>;

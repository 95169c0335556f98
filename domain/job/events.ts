import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { CheckTypeName, StoredParameters } from '../check/events.ts';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { JobResult } from './result.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** `existing_check`: of a stored check; `custom_check`: of a definition that came with the request. */
export const JobType = Type.Union([Type.Literal('existing_check'), Type.Literal('custom_check')]);
export type JobType = Static<typeof JobType>;

/** What ran, as it was when the run was requested; its secrets are sealed. */
export const JobDefinition = Type.Object({
  name: Type.String(),
  type: CheckTypeName,
  url: nullable(Type.String()),
  host: nullable(Type.String()),
  port: nullable(Type.Integer()),
  /** seconds, with fractions */
  timeout: Type.Number(),
  parameters: StoredParameters,
});
export type JobDefinition = Static<typeof JobDefinition>;

/** Events of a run on demand, in its stream `job-{job_id}` of the main log. */
export const jobEvents = {
  JobQueued: {
    version: 2,
    data: Type.Object({
      job_id: Type.String(),
      organization_id: Type.String(),
      job_type: JobType,
      /** null for a definition that is not stored */
      check_id: nullable(Type.String()),
      check_parameters: JobDefinition,
      /** who requested it; null if no person's key did */
      user_id: nullable(Type.String()),
    }),
  },
  /** its run is handed over to the queues of its regions from now on */
  JobOffered: { version: 1, data: Type.Object({ job_id: Type.String(), run_id: Type.String() }) },
  /** a runner has begun, of several regions the first; before `JobOffered` existed, it was handed over */
  JobStarted: { version: 1, data: Type.Object({ job_id: Type.String(), run_id: Type.String() }) },
  /** there is a result, good or bad */
  JobCompleted: { version: 1, data: Type.Object({ job_id: Type.String(), result: JobResult }) },
  /** nothing could be run */
  JobFailed: { version: 1, data: Type.Object({ job_id: Type.String(), error_message: Type.String() }) },
} as const satisfies EventDefinitions;

export type JobEvent = EventsOf<typeof jobEvents>;

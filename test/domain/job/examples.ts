import type { EventOf } from '../../../domain/event-types.ts';
import type { NewJob } from '../../../domain/job/decide.ts';
import type { JobDefinition } from '../../../domain/job/events.ts';
import type { SingleResult } from '../../../domain/job/result.ts';
import { runIdOf } from '../../../domain/job/run.ts';
import { CHECK, ORGANIZATION } from '../check/examples.ts';

/** Events of one job, for tests. */
export const JOB = 'job000000001';

export const definition = (fields: Partial<JobDefinition> = {}): JobDefinition => ({
  name: 'Shop',
  type: 'web',
  url: 'https://shop.example/',
  host: null,
  port: null,
  timeout: 10,
  parameters: {},
  ...fields,
});

export const THREE_REGIONS = {
  regions: ['RU, Moscow', 'EU, West', 'IN, Mumbai'],
  multi_region_execution: { enabled: true, execution_mode: 'all' },
};

export const newJob = (fields: Partial<NewJob> = {}): NewJob => ({
  id: JOB,
  organizationId: ORGANIZATION,
  checkId: CHECK,
  definition: definition(),
  userId: null,
  ...fields,
});

export const jobQueued = (fields: Partial<EventOf<'JobQueued'>['data']> = {}): EventOf<'JobQueued'> => ({
  type: 'JobQueued',
  data: {
    job_id: JOB,
    organization_id: ORGANIZATION,
    job_type: 'existing_check',
    check_id: CHECK,
    check_parameters: definition(),
    user_id: null,
    ...fields,
  },
});

export const jobOffered: EventOf<'JobOffered'> = { type: 'JobOffered', data: { job_id: JOB, run_id: runIdOf(JOB) } };

export const jobStarted: EventOf<'JobStarted'> = { type: 'JobStarted', data: { job_id: JOB, run_id: runIdOf(JOB) } };

export const single: SingleResult = {
  result_id: 'result000001',
  region: 'RU, Moscow',
  status: 'ok',
  response_time: 12,
  error_message: null,
};

export const jobCompleted: EventOf<'JobCompleted'> = { type: 'JobCompleted', data: { job_id: JOB, result: single } };

export const jobFailed: EventOf<'JobFailed'> = {
  type: 'JobFailed',
  data: { job_id: JOB, error_message: 'The check was deleted.' },
};

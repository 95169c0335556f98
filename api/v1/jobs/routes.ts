import { Type, type Static } from '@sinclair/typebox';
import { CHECK_DEFAULTS } from '../../../domain/check/state.ts';
import { NotFound } from '../../../domain/errors.ts';
import type { JobDocument } from '../../../projections/jobs/documents.ts';
import { jobs } from '../../../projections/jobs/projection.ts';
import { ReadModelLate, ReadModelUnavailable, type Read } from '../../../projections/readers.ts';
import { ReadStoreUnavailable } from '../../../stores/read-store/port.ts';
import { listing } from '../../../queries/listing.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { presenting } from '../../present.ts';
import { accepted, ok, route, type Answer, type Call, type Route } from '../../route.ts';
import { choice, Id } from '../../schema.ts';
import { shownParameters } from '../checks/parameters.ts';
import { brokenDefinition } from '../checks/refusals.ts';
import { Definition } from '../checks/schema.ts';
import { CheckParams, findCheck } from '../checks/find-check.ts';
import { Job, JOB_STATUSES, QueuedJob } from './schema.ts';

const tag = 'Checks';
const path = '/v1/checks/jobs';
const list = pagesOfStyleB({ key: 'jobs', size: 20 });
const shown = presenting(Job, ['check_parameters']);

type Reading = Pick<Call<unknown, unknown, unknown>, 'keys' | 'may'>;

const present =
  ({ keys, may }: Reading) =>
  async (job: JobDocument): Promise<Static<typeof Job>> => {
    const { parameters, ...definition } = job.check_parameters;
    const showing = { organizationId: job.organization_id, type: definition.type, keys, may };
    return shown(job, { check_parameters: { ...definition, parameters: await shownParameters(parameters, showing) } });
  };

/** The client polls the job from now on; where its read model is late, the first poll may not find it yet. */
const queued = (jobId: string, read: Read): Answer =>
  accepted(`${path}/${jobId}`, jobId, async (): Promise<Static<typeof QueuedJob>> => {
    try {
      await read(jobs).jobs.get(jobId);
    } catch (error) {
      const late = [ReadModelLate, ReadModelUnavailable, ReadStoreUnavailable].some((kind) => error instanceof kind);
      if (!late) throw error;
    }
    return { job_id: jobId, message: 'Check execution queued', status: 'queued' };
  });

export const jobRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/checks/{check_id}/execute',
    summary: 'Run a check now; what comes of it is read from the job',
    tag,
    access: { needs: 'checks.execute' },
    params: CheckParams,
    answers: { 202: QueuedJob },
    find: findCheck,
    handle: async ({ params, context, commands, read }) =>
      queued(await commands.jobs.executeCheck(params.check_id, context), read),
  }),
  route({
    methods: ['post'],
    path: '/v1/checks/execute',
    summary: 'Run a definition that is not stored; what comes of it is read from the job',
    tag,
    access: { needs: 'checks.execute' },
    body: Definition,
    answers: { 202: QueuedJob },
    refuse: (_, body) => brokenDefinition(body),
    handle: async ({ body, context, commands, read }) => {
      const { name, type, url, host, port, timeout, parameters } = { ...CHECK_DEFAULTS, ...body };
      const definition = { name, type, url, host, port, timeout, parameters };
      return queued(await commands.jobs.executeDefinition(definition, context), read);
    },
  }),
  route({
    methods: ['get'],
    path,
    summary: 'Runs on demand, newest first',
    tag,
    access: { needs: 'jobs.read' },
    confidential: true,
    query: Type.Object({ ...list.query, status: Type.Optional(choice(JOB_STATUSES)) }),
    answers: { 200: list.answer(Job) },
    handle: ({ query, context, read, ...call }) => {
      const { status } = query;
      const where = { organization_id: context.organizationId, ...(status !== undefined && { status }) };
      return ok(() =>
        list.body(
          query,
          (paging) => listing(read(jobs).jobs, { where, sort: { created_at: -1 } }, paging),
          present(call),
        ),
      );
    },
  }),
  route({
    methods: ['get'],
    path: `${path}/{job_id}`,
    summary: 'One run on demand, with its result once it is completed',
    tag,
    access: { needs: 'jobs.read' },
    confidential: true,
    params: Type.Object({ job_id: Id }),
    answers: { 200: Job },
    find: async ({ params, context, read }) => {
      const job = await read(jobs).jobs.get(params.job_id);
      if (job?.organization_id !== context.organizationId) throw new NotFound('There is no such job.');
      return job;
    },
    handle: ({ found, ...call }) => ok(() => present(call)(found)),
  }),
];

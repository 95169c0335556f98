import { Type, type Static } from '@sinclair/typebox';
import { executeCheck, executeDefinition } from '../../../commands/checks/jobs.ts';
import { CHECK_DEFAULTS } from '../../../domain/check/state.ts';
import { ReadModelLate, ReadModelUnavailable } from '../../../projections/readers.ts';
import { ReadStoreUnavailable } from '../../../stores/read-store/port.ts';
import { findJob, hasJob, listJobs } from '../../../queries/checks/jobs.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { createPresenter } from '../../presenter.ts';
import { accepted, ok, route, type RouteResponse, type Route } from '../../route.ts';
import { choice, commaList, Id } from '../../schema.ts';
import { definitionBodyErrors } from '../checks/validation.ts';
import { UnsavedCheck } from '../checks/schema.ts';
import { CheckParams, findCheckInPath } from '../checks/params.ts';
import { Job, JOB_STATUSES, QueuedJob } from './schema.ts';

const tag = 'Checks';
const path = '/v1/checks/jobs';
const list = pagesOfStyleB({ key: 'jobs', size: 20, newestBy: 'created_at' });
const presentJob = createPresenter(Job);

/** Waits for the read model, because the client will read the job next. A late read model is not an error here. */
const queued = (jobId: string, scope: Scope): RouteResponse =>
  accepted(`${path}/${jobId}`, jobId, async (): Promise<Static<typeof QueuedJob>> => {
    try {
      await hasJob(scope, jobId);
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
    summary: 'Run a check now',
    description: 'Read the result from the job.',
    tag,
    access: { needs: 'checks.execute' },
    params: CheckParams,
    responses: { 202: QueuedJob },
    find: findCheckInPath,
    handle: async ({ params, context, commands, scope }) =>
      queued(await commands.bind(executeCheck)(params.check_id, context), scope),
  }),
  route({
    methods: ['post'],
    path: '/v1/checks/execute',
    summary: 'Run an unsaved check',
    description: 'Runs the definition in the body once, without storing it. Read the result from the job.',
    tag,
    access: { needs: 'checks.execute' },
    body: UnsavedCheck,
    responses: { 202: QueuedJob },
    refuse: (_, body) => definitionBodyErrors(body),
    handle: async ({ body, context, commands, scope }) => {
      const { name, type, url, host, port, timeout, parameters } = { ...CHECK_DEFAULTS, ...body };
      const definition = { name, type, url, host, port, timeout, parameters };
      return queued(await commands.bind(executeDefinition)(definition, context), scope);
    },
  }),
  route({
    methods: ['get'],
    path,
    summary: 'List jobs',
    description: 'Jobs are on-demand runs. The list is sorted newest first.',
    tag,
    access: { needs: 'jobs.read' },
    confidential: true,
    query: Type.Object({ ...list.query, status: Type.Optional(commaList(choice(JOB_STATUSES))) }),
    responses: { 200: list.answer(Job) },
    heavy: true,
    handle: ({ query, scope, may }) => {
      const revealing = { reveal: may('secrets.reveal') };
      return ok(() => list.body(query, (paging) => listJobs(scope, query, paging, revealing), presentJob));
    },
  }),
  route({
    methods: ['get'],
    path: `${path}/{job_id}`,
    summary: 'Get a job',
    description: 'A completed job contains its result.',
    tag,
    access: { needs: 'jobs.read' },
    confidential: true,
    params: Type.Object({ job_id: Id }),
    responses: { 200: Job },
    handle: ({ params, scope, may }) =>
      ok(async () => presentJob(await findJob(scope, params.job_id, { reveal: may('secrets.reveal') }))),
  }),
];

import { NotFound } from '../domain/errors.ts';
import type { JobDocument } from '../projections/jobs/documents.ts';
import { jobs } from '../projections/jobs/projection.ts';
import { openParameters, type Revealing } from './checks/secrets.ts';
import { joined, listing, type Listing, type Paging } from './listing.ts';
import type { Scope } from './scope.ts';

type Asking = Pick<Scope, 'read' | 'organizationId' | 'keys'>;

/** A run on demand, the texts of its definition opened. @throws NotFound */
export const findJob = async (scope: Asking, jobId: string, revealing: Revealing): Promise<JobDocument> => {
  const job = await scope.read(jobs).jobs.get(jobId);
  if (job?.organization_id !== scope.organizationId) throw new NotFound('There is no such job.');
  return opened(scope, job, revealing);
};

/** Runs on demand, the newest first. */
export const listJobs = async (
  scope: Asking,
  { status }: { status?: JobDocument['status'] },
  paging: Paging,
  revealing: Revealing,
): Promise<Listing<JobDocument>> => {
  const where = { organization_id: scope.organizationId, ...(status !== undefined && { status }) };
  const found = await listing(scope.read(jobs).jobs, { where, sort: { created_at: -1 } }, paging);
  return joined(found, async () => (job) => opened(scope, job, revealing));
};

const opened = async (scope: Asking, job: JobDocument, revealing: Revealing): Promise<JobDocument> => {
  const { organization_id, check_parameters: definition } = job;
  const parameters = await openParameters(scope, { ...definition, organization_id }, revealing);
  return { ...job, check_parameters: { ...definition, parameters } };
};

import type { JobDocument } from '../../projections/jobs/documents.ts';
import { jobs } from '../../projections/jobs/projection.ts';
import { decryptParameters, type RevealOptions } from './secrets.ts';
import { oneOf } from '../engine/filters.ts';
import { joinItems, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { Scope } from '../engine/scope.ts';

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'keys'>;

interface JobFilters {
  /** Matches any of these values. */
  status?: readonly JobDocument['status'][];
}

const own = ownDocuments((read) => read(jobs).jobs, 'job', {
  sort: { created_at: -1 },
  filters: { status: oneOf },
});

/** Whether a job exists. */
export const hasJob = own.has;

/** Finds an on-demand run, and decrypts the texts of its definition. @throws NotFound */
export const findJob = async (scope: QueryScope, jobId: string, revealing: RevealOptions): Promise<JobDocument> =>
  opened(scope, await own.one(scope, jobId), revealing);

/** On-demand runs, newest first. */
export const listJobs = async (
  scope: QueryScope,
  filters: JobFilters,
  paging: Paging,
  revealing: RevealOptions,
): Promise<Listing<JobDocument>> =>
  joinItems(await own.list(scope, filters, paging), async () => (job) => opened(scope, job, revealing));

const opened = async (scope: QueryScope, job: JobDocument, revealing: RevealOptions): Promise<JobDocument> => {
  const { organization_id, check_parameters: definition } = job;
  const parameters = await decryptParameters(scope, { ...definition, organization_id }, revealing);
  return { ...job, check_parameters: { ...definition, parameters } };
};

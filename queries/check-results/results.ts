import type { CheckServer } from '../../domain/check-result/events.ts';
import type { Instant } from '../../domain/time.ts';
import { notFound } from '../../domain/existence.ts';
import type { CheckResultDocument } from '../../projections/check-results/documents.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { findCheck } from '../checks/find.ts';
import { showMetadata, type RevealOptions } from '../checks/secrets.ts';
import { joinItems, readListing, type Listing, type Paging } from '../engine/listing.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';
import { createdWithin } from '../engine/filters.ts';
import { filterConditions, later, type ResultFilters } from './filters.ts';

/**
 * A result with its server. Secrets in the metadata are masked unless the reader is allowed to see them. The metadata
 * is in stored form: the creation time of the check decides which part of it is shown.
 */
export interface JoinedResult extends CheckResultDocument {
  check_server: CheckServer;
  /** Null for a run of an unsaved definition. */
  check_created_at: Instant | null;
}

export const NEWEST_FIRST = { created_at: -1 } as const;

/** The results of a check, newest first. */
export const listResults = async (
  scope: Pick<Scope, 'read' | 'resultsFrom'>,
  { id: check_id, created_at }: CheckDocument,
  filters: ResultFilters,
  paging: Paging,
  revealing: RevealOptions,
): Promise<Listing<JoinedResult>> => {
  const { start_date: from = '', end_date: to } = filters;
  const where = { check_id, ...createdWithin(later(from, scope.resultsFrom()), to), ...filterConditions(filters) };
  const found = await readListing(scope.read(checkResults).check_results, { where, sort: NEWEST_FIRST }, paging);
  return joinItems(found, async (items) => {
    const withServer = await createServerJoin(scope, items, revealing);
    return (result) => ({ ...withServer(result), check_created_at: created_at });
  });
};

/** Returns the newest stored results of a check, newest first. Includes results from before the retention period. */
export const latestResults = (
  { read }: Pick<Scope, 'read'>,
  { id: check_id }: CheckDocument,
  limit: number,
): Promise<CheckResultDocument[]> =>
  read(checkResults).check_results.find({ where: { check_id }, sort: NEWEST_FIRST, limit });

/** Finds a stored result of a check, even from before the retention period. @throws NotFound */
export const resultOfCheck = async (
  scope: ReadScope,
  { check_id, result_id }: { check_id: string; result_id: string },
  revealing: RevealOptions,
): Promise<JoinedResult> => {
  const check = await findCheck(scope, check_id);
  const result = await scope.read(checkResults).check_results.get(result_id);
  if (result?.check_id !== check.id) throw notFound('result');
  const withServer = await createServerJoin(scope, [result], revealing);
  return { ...withServer(result), check_created_at: check.created_at };
};

/** Creates a function that adds the servers to results. Reads each server once. @throws Error if a server is unknown */
export const createServerJoin = async (
  { read }: Pick<Scope, 'read'>,
  results: readonly CheckResultDocument[],
  revealing: RevealOptions,
): Promise<(result: CheckResultDocument) => Omit<JoinedResult, 'check_created_at'>> => {
  const keys = [...new Set(results.map(({ server }) => server))];
  const found = keys.length === 0 ? [] : await read(checkResults).check_servers.getMany(keys);
  const servers = new Map(found.map(({ id, check_server }) => [id, check_server]));
  return (result) => {
    const check_server = servers.get(result.server);
    if (!check_server) throw new Error(`The server ${result.server} of a result is unknown.`);
    return {
      ...result,
      check_server: withOffset(check_server, result),
      check_metadata: showMetadata(result, revealing),
    };
  };
};

/** Adds the clock offset of a result to its server. */
const withOffset = (server: CheckServer, { clock_offset_ms }: CheckResultDocument): CheckServer =>
  clock_offset_ms === undefined
    ? server
    : { ...server, server_metadata: { ...server.server_metadata, clock_offset_ms } };

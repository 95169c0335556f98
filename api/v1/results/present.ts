import type { Static } from '@sinclair/typebox';
import { STORED } from '../../../domain/check/file-references.ts';
import { referencesIn, withReferences } from '../../../domain/check/result-files.ts';
import { checkTypeOf } from '../../../domain/check/types/index.ts';
import type { Fields } from '../../../domain/fields.ts';
import type { ResultOfAll as FoundOfAll } from '../../../queries/check-results/all-results.ts';
import type { JoinedResult } from '../../../queries/check-results/results.ts';
import type { ApiSurface } from '../../route.ts';
import { artifactLink } from '../artifacts/link.ts';
import type { CheckResult } from '../checks/schema.ts';
import type { ResultWithCheck } from './schema.ts';

/** Creates a temporary URL that opens a file of an organization without a key. */
export type CreateFileLink = (artifactId: string, organizationId: string) => Promise<string>;

/**
 * Creates a function for links to files of results. Only callers with permission to read the results may get these
 * links.
 */
export const createFileLinks =
  ({ scope, addressOf, mac }: Pick<ApiSurface['given'], 'scope' | 'addressOf' | 'mac'>): CreateFileLink =>
  async (id, organization_id) =>
    addressOf(await artifactLink({ id, organization_id }, scope.now, mac));

/** Converts a result to its form in the lists of one check. */
export const presentResult = async (result: JoinedResult, linkTo: CreateFileLink): Promise<CheckResult> => ({
  id: result.id,
  check_id: result.check_id,
  created_at: result.created_at,
  status: result.status,
  response_time: result.response_time,
  error_message: result.error_message ?? null,
  check_server_id: result.check_server.id,
  check_server: result.check_server,
  check_metadata: await shownMetadata(result, linkTo),
  suspect: result.suspect === true,
  result_type: result.result_type ?? 'regular',
  execution_id: result.execution_id ?? null,
  execution_group_id: result.execution_group_id ?? null,
  triggered_alerts: [...(result.triggered_alerts ?? [])],
});

/** Converts a result to its form in the list of all checks. */
export const presentResultWithCheck = async (
  result: FoundOfAll,
  linkTo: CreateFileLink,
): Promise<Static<typeof ResultWithCheck>> => ({
  ...(await presentResult(result, linkTo)),
  check_name: result.check_name,
  check_type: result.check_type,
  region: result.region,
});

/** Converts metadata to the format of the check type, and adds links to files. Links to deleted files respond 404. */
const shownMetadata = async (
  { check_type, check_metadata, check_created_at, organization_id }: JoinedResult,
  linkTo: CreateFileLink,
): Promise<Fields> => {
  const stored = referencesIn(check_metadata, check_type).filter((reference) => reference.startsWith(STORED));
  const links = await Promise.all(
    stored.map(async (reference): Promise<[string, string]> => [
      reference,
      await linkTo(reference.slice(STORED.length), organization_id),
    ]),
  );
  const linkOf = new Map(links);
  const linked = withReferences(check_metadata, check_type, (reference) => linkOf.get(reference) ?? null);
  return checkTypeOf(check_type).shownMetadata(linked, check_created_at);
};

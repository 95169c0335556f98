import type { Static } from '@sinclair/typebox';
import type { ResultOfAll as FoundOfAll } from '../../../queries/check-results/all-results.ts';
import type { JoinedResult } from '../../../queries/check-results/results.ts';
import type { CheckResult } from '../checks/schema.ts';
import type { ResultOfAll } from './schema.ts';

/** A result of a check as the API shows it. */
export const presentResult = (result: JoinedResult): CheckResult => ({
  id: result.id,
  check_id: result.check_id,
  created_at: result.created_at,
  status: result.status,
  response_time: result.response_time,
  error_message: result.error_message ?? null,
  check_server_id: result.check_server.id,
  check_server: result.check_server,
  check_metadata: result.check_metadata,
  suspect: result.suspect === true,
});

/** A result of any check as the API shows it. */
export const presentResultOfAll = (result: FoundOfAll): Static<typeof ResultOfAll> => ({
  ...presentResult(result),
  check_name: result.check_name,
  check_type: result.check_type,
  region: result.region,
  result_type: result.result_type ?? 'regular',
  execution_id: result.execution_id ?? null,
  execution_group_id: result.execution_group_id ?? null,
  triggered_alerts: [...(result.triggered_alerts ?? [])],
});

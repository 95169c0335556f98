import { call } from '../session/call.ts';
import { may } from '../session/permissions.ts';
import { plainRequest } from '../session/plain-request.ts';
import type { ScreenHistory } from '../router/histories.ts';

/** The moments at which the content of a screen changed. */
export interface Moments {
  /** API times, oldest first */
  moments: readonly string[];
  /** whether there are earlier moments */
  truncated: boolean;
}

/** Number of entries of the audit log from which the moments of a list are taken. */
const MOST_ENTRIES = 100;

/**
 * Loads the moments at which a resource, or the content of a screen, changed. Lists have no history of their own, so
 * their moments come from the audit log. For users who are not allowed to read the audit log, lists have no moments.
 */
export const loadMoments = async (history: ScreenHistory, signal?: AbortSignal): Promise<Moments> => {
  if (history.kind === 'resource') {
    const answer = await plainRequest(`${history.resource}/history/moments`, { accept: 'application/json' });
    return (await answer.json()) as Moments;
  }
  if (!may('GET /v1/audit')) return { moments: [], truncated: true };
  const query = { resource_type: history.types, per_page: MOST_ENTRIES };
  const { audit_logs, pagination } = await call(
    'GET /v1/audit',
    { query },
    { ...(signal && { signal }), present: true },
  );
  const moments = [...new Set(audit_logs.map(({ created_at }) => created_at))].sort();
  return { moments, truncated: pagination.has_next };
};

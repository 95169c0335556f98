import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';

/** An alert with the deliveries to its channels. */
export interface AlertWithMessages {
  alert: Schemas['Alert'];
  /** null: not known, because the screen shows a past state */
  messages: readonly Schemas['AlertNotification'][] | null;
}

export const oneAlert = (alert_id: string): LiveSource<AlertWithMessages> => ({
  load: async (signal) => {
    const params = { alert_id };
    const [alert, messages] = await Promise.all([
      call('GET /v1/alerts/{alert_id}', { params }, { signal }),
      may('GET /v1/alerts/{alert_id}/notifications')
        ? call('GET /v1/alerts/{alert_id}/notifications', { params }, { signal })
        : null,
    ]);
    return { alert, messages };
  },
  resources: ['alert'],
  merge: (value, changes) => (changes.some(({ id }) => id === alert_id) ? null : value),
});

/** Length of the periods before and after the firing from which results are shown, in milliseconds. */
const AROUND_MS = 15 * 60_000;
const MOST_RESULTS = 50;

/** Loads the results of an alert's check around the time when the alert fired, newest first. */
export const resultsAround = async (
  { check_id, fired_at }: { check_id: string; fired_at: string },
  signal: AbortSignal,
): Promise<readonly Schemas['CheckResult'][]> => {
  const fired = Date.parse(`${fired_at}Z`);
  const query = {
    start_date: new Date(fired - AROUND_MS).toISOString(),
    end_date: new Date(fired + AROUND_MS).toISOString(),
    page_size: MOST_RESULTS,
  };
  const { results } = await call('GET /v1/checks/{check_id}/results', { params: { check_id }, query }, { signal });
  return results;
};

import type { JSX } from 'preact';
import { useLive, type LiveSource } from '../live/live-data.ts';
import { numberFormat } from '../parts/number-format.ts';
import { call } from '../session/call.ts';
import { activeCountAfter, type ActiveAlertCount } from './active-count.ts';
import { language, words } from './language.ts';

/**
 * Maximum number of active alerts that are followed individually with the event stream. If there are more, the service
 * counts them again after each change.
 */
const MOST_FOLLOWED = 100;

const ACTIVE: LiveSource<ActiveAlertCount> = {
  load: async (signal) => {
    const query = { status: ['active'] as const, per_page: MOST_FOLLOWED };
    const { alerts, pagination } = await call('GET /v1/alerts', { query }, { signal, present: true });
    const ids = pagination.has_next ? null : new Set(alerts.map(({ id }) => id));
    return { count: pagination.total, ids };
  },
  resources: ['alert'],
  merge: activeCountAfter,
};

/** The number of active alerts in the sidebar. Renders nothing for zero. */
export const ActiveAlerts = (): JSX.Element | null => {
  const { loaded } = useLive(ACTIVE, []);
  const count = loaded.status === 'loading' ? 0 : (loaded.value?.count ?? 0);
  if (count === 0) return null;
  return (
    <span class="nav-count" title={words.value.alerts.active(count)}>
      <span class="hidden">{words.value.alerts.active(count)}</span>
      <span aria-hidden="true">{numberFormat(language.value).format(count)}</span>
    </span>
  );
};

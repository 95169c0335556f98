import type { JSX } from 'preact';
import { useLive } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { currentLocation } from '../../router/router.ts';
import { AlertsHead } from './head.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filterOf, alertListPath } from './filter.ts';
import { List } from './list.tsx';
import { pageOf } from './source.ts';

/** The alert list, newest first. */
const Alerts = (): JSX.Element => {
  const filter = filterOf(currentLocation.value.query);
  const { loaded, again, change } = useLive(pageOf(filter), [alertListPath(filter)]);
  const value = loaded.status === 'loading' ? null : loaded.value;
  return (
    <div class="alerts-screen">
      <AlertsHead />
      <FilterBar filter={filter} rows={value?.rows ?? null} />
      {loaded.status === 'failed' &&
        (value ? (
          <FailureLine failure={loaded.failure} again={again} />
        ) : (
          <FailurePanel failure={loaded.failure} again={again} />
        ))}
      {loaded.status === 'loading' && <Loading />}
      {value && <List key={alertListPath({ ...filter, page: 1 })} page={value} filter={filter} change={change} />}
    </div>
  );
};
export default Alerts;

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLive } from '../../live/live-data.ts';
import { Drawer } from '../../parts/overlays/drawer.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import { PublishedBar } from '../incident/editor/published-bar.tsx';
import { NewOnPage } from '../incidents/new-on-page.tsx';
import type { IncidentLine } from '../overview/sources.ts';
import { Calendar } from './calendar.tsx';
import { MaintenanceList } from './maintenance-list.tsx';
import { dateOf, dayOf, isMonth, isOn, monthOf, monthsAfter, type Day, type Month } from './month.ts';
import { MAINTENANCES } from './source.ts';

/** Maximum number of completed maintenances listed. */
const MOST_COMPLETED = 20;

const GROUPS = ['running', 'scheduled', 'completed'] as const;

const groupOf = ({ status }: IncidentLine): (typeof GROUPS)[number] =>
  status === 'scheduled' ? 'scheduled' : status === 'completed' ? 'completed' : 'running';

/** Maintenances of all status pages, in a calendar and in lists. */
const Maintenances = (): JSX.Element => {
  const { loaded, again } = useLive(MAINTENANCES, []);
  const opened = useSignal<Day | null>(null);
  const { common, incidents: own, maintenances: says, screens } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.value === null) {
    return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  }
  const { pages, maintenances: all } = loaded.value;
  if (pages.length === 0) {
    return (
      <Panel title={own.noPages} text={own.noPagesText}>
        {may('POST /v1/pages') && (
          <Link to="/pages/new" class="button primary">
            {own.newPage}
          </Link>
        )}
      </Panel>
    );
  }
  const { query } = currentLocation.value;
  const page_id = query.get('page_id');
  const asked = query.get('month') ?? '';
  const today = dayOf(new Date());
  const month: Month = isMonth(asked) ? asked : monthOf(today);
  const go = (to: { month?: Month; page_id?: string | null }): void => {
    const next = { month, page_id, ...to };
    const params = new URLSearchParams({ month: next.month });
    if (next.page_id !== null) params.set('page_id', next.page_id);
    navigate(`/maintenances?${params.toString()}`, { replace: true });
  };
  const shown = page_id === null ? all : all.filter((one) => one.page_id === page_id);
  const offered = page_id === null ? pages : pages.filter(({ id }) => id === page_id);
  const mayWrite = may('POST /v1/pages/{page_id}/incidents');
  const title = new Intl.DateTimeFormat(language.value, { month: 'long', year: 'numeric' });
  return (
    <>
      <ScreenHead title={screens.maintenances}>
        {mayWrite && <NewOnPage pages={offered} label={own.newMaintenance} query="kind=maintenance" />}
      </ScreenHead>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      <div class="part-head months">
        <button
          class="button"
          onClick={() => {
            go({ month: monthOf(monthsAfter(`${month}-01`, -1)) });
          }}
        >
          {common.previous}
        </button>
        <h2 aria-live="polite">{title.format(dateOf(`${month}-01`))}</h2>
        <button
          class="button"
          onClick={() => {
            go({ month: monthOf(monthsAfter(`${month}-01`, 1)) });
          }}
        >
          {common.next}
        </button>
        {month !== monthOf(today) && (
          <button
            class="button quiet"
            onClick={() => {
              go({ month: monthOf(today) });
            }}
          >
            {says.today}
          </button>
        )}
        {pages.length > 1 && (
          <select
            aria-label={own.page}
            value={page_id ?? ''}
            onChange={({ currentTarget }) => {
              go({ page_id: currentTarget.value || null });
            }}
          >
            <option value="" selected={page_id === null}>
              {common.all}
            </option>
            {pages.map(({ id, name }) => (
              <option key={id} value={id} selected={id === page_id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
      <Calendar
        month={month}
        maintenances={shown}
        onMonth={(to) => {
          go({ month: to });
        }}
        onDay={(day) => {
          opened.value = day;
        }}
      />
      {shown.length === 0 && <p class="muted nothing-yet">{says.none}</p>}
      {GROUPS.map((group) => {
        const some = shown.filter((one) => groupOf(one) === group);
        if (some.length === 0) return null;
        return (
          <section key={group} class="list-part" aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`}>{says.groups[group]}</h2>
            <MaintenanceList
              maintenances={group === 'completed' ? some.reverse().slice(0, MOST_COMPLETED) : some}
              pages={pages}
            />
          </section>
        );
      })}
      {opened.value !== null && (
        <Drawer
          title={new Intl.DateTimeFormat(language.value, { dateStyle: 'full' }).format(dateOf(opened.value))}
          onClose={() => {
            opened.value = null;
          }}
        >
          <MaintenanceList maintenances={shown.filter((one) => isOn(one, opened.value ?? ''))} pages={pages} />
          {shown.every((one) => !isOn(one, opened.value ?? '')) && <p class="muted">{says.noneOnDay}</p>}
          {mayWrite && (
            <div class="actions">
              <NewOnPage pages={offered} label={own.newMaintenance} query={`kind=maintenance&day=${opened.value}`} />
            </div>
          )}
        </Drawer>
      )}
      <PublishedBar />
    </>
  );
};
export default Maintenances;

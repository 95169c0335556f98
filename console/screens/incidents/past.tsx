import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { stateOfImpact, StatePill } from '../../../views/status/state.tsx';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Pager } from '../../parts/pager.tsx';
import { durationOf, Moment, momentOf } from '../../parts/times/since.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { language, words } from '../../shell/language.ts';
import { isPeriod, PERIODS, sinceOf, type Period } from './period.ts';

type Incident = Schemas['Incident'];

export interface PastProps {
  /** page names by id */
  pages: ReadonlyMap<string, string>;
}

interface PastIncidentPage {
  incidents: readonly Incident[];
  pagination: Schemas['Pagination'];
}

const PAGE_SIZE = 20;

const source = (page_id: string, page: number, period: Period): LiveSource<PastIncidentPage> => ({
  load: async (signal) => {
    const since = sinceOf(period, Date.now());
    const query = {
      page,
      page_size: PAGE_SIZE,
      updates: false,
      status: ['resolved'] as const,
      ...(since !== null && { since }),
    };
    const answer = await call('GET /v1/pages/{page_id}/incidents', { params: { page_id }, query }, { signal });
    // The response has pagination because the request has the parameter `page`.
    if ('pagination' in answer) return answer;
    throw new Error('The response has no pagination.');
  },
  resources: ['incident'],
  merge: (value, changes) => (changes.some((one) => one.page_id === page_id) ? null : value),
});

/** Returns the page, the period and the page number that the URL's query selects. */
const listStateOf = (pages: PastProps['pages']): { page_id: string; page: number; period: Period } => {
  const { query } = currentLocation.value;
  const wanted = query.get('page_id') ?? '';
  const period = query.get('period') ?? '';
  return {
    page_id: pages.has(wanted) ? wanted : ([...pages.keys()][0] ?? ''),
    page: Math.max(1, Number(query.get('page') ?? 1) || 1),
    period: isPeriod(period) ? period : 'all',
  };
};

/** Past incidents of a page, newest first. */
export const Past = ({ pages }: PastProps): JSX.Element => {
  const { page_id, page, period } = listStateOf(pages);
  const { loaded, again } = useLive(source(page_id, page, period), [page_id, page, period]);
  const { incidents: says } = words.value;
  const go = (change: Partial<{ page_id: string; page: number; period: Period }>): void => {
    const to = { page_id, page: 1, period, ...change };
    navigate(`/incidents?${new URLSearchParams({ ...to, page: to.page.toString() }).toString()}`);
  };
  return (
    <section class="list-part" aria-labelledby="past">
      <div class="part-head">
        <h2 id="past">{says.past}</h2>
        {pages.size > 1 && (
          <select
            aria-label={says.page}
            value={page_id}
            onChange={({ currentTarget }) => {
              go({ page_id: currentTarget.value });
            }}
          >
            {[...pages].map(([id, name]) => (
              <option key={id} value={id} selected={id === page_id}>
                {name}
              </option>
            ))}
          </select>
        )}
        <select
          aria-label={says.period}
          value={period}
          onChange={({ currentTarget }) => {
            if (isPeriod(currentTarget.value)) go({ period: currentTarget.value });
          }}
        >
          {PERIODS.map((one) => (
            <option key={one} value={one} selected={one === period}>
              {says.periods[one]}
            </option>
          ))}
        </select>
      </div>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {loaded.status === 'loading' && <Loading />}
      {loaded.status !== 'loading' && loaded.value && (
        <>
          {loaded.value.incidents.length === 0 ? (
            <p class="muted">{says.nonePast}</p>
          ) : (
            <PastTable incidents={loaded.value.incidents} />
          )}
          <Pager
            pagination={loaded.value.pagination}
            onPage={(to) => {
              go({ page: to });
            }}
          />
        </>
      )}
    </section>
  );
};

const PastTable = ({ incidents }: { incidents: readonly Incident[] }): JSX.Element => {
  const { common, incidents: says } = words.value;
  return (
    <DataTable
      label={says.past}
      rows={incidents}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'name',
          label: common.name,
          kind: 'key',
          cell: ({ id, page_id, name }) => (
            <Link to={`/pages/${page_id}/incidents/${id}`}>
              <bdi>{name}</bdi>
            </Link>
          ),
        },
        {
          name: 'impact',
          label: says.impact,
          cell: ({ impact }) => <StatePill state={stateOfImpact(impact)} label={says.impacts[impact]} />,
        },
        { name: 'began', label: says.began, cell: ({ created_at }) => <Moment instant={created_at} /> },
        {
          name: 'lasted',
          label: says.lasted,
          kind: 'number',
          cell: ({ created_at, resolved_at }) =>
            resolved_at === null
              ? '–'
              : durationOf((momentOf(resolved_at) - momentOf(created_at)) / 1_000, language.value),
        },
        {
          name: 'postmortem',
          label: says.postmortem,
          cell: ({ postmortem_published_at }) =>
            postmortem_published_at === null ? '–' : <Moment instant={postmortem_published_at} />,
        },
      ]}
    />
  );
};

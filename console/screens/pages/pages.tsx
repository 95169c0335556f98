import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Pager } from '../../parts/pager.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { ManagedBadge } from '../../parts/managed.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { StatusShown } from '../page/components/statuses.tsx';
import { addressHere, addressOfDomain } from './address.ts';
import { Empty } from './empty.tsx';
import { isReached, type PageLimit } from './limit.ts';
import { loadLimit } from './load-limit.ts';
import { Visibility } from './visibility.tsx';

type Page = Schemas['Page'];

interface StatusPageList {
  pages: readonly Page[];
  pagination: Schemas['Pagination'];
  limit: PageLimit;
}

const PAGE_SIZE = 50;

const sourceOf = (page: number): LiveSource<StatusPageList> => ({
  load: async (signal) => {
    const query = { page, page_size: PAGE_SIZE, include_status: true };
    const [listed, limit] = await Promise.all([call('GET /v1/pages', { query }, { signal }), loadLimit(signal)]);
    return { ...listed, limit };
  },
  resources: ['page', 'component', 'incident'],
  merge: () => null,
});

/** The list of status pages. */
const Pages = (): JSX.Element => {
  const page = Math.max(1, Number(currentLocation.value.query.get('page')) || 1);
  const { loaded, again } = useLive(sourceOf(page), [page]);
  const says = words.value.pages;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed' && loaded.value === null)
    return <FailurePanel failure={loaded.failure} again={again} />;
  const { value } = loaded;
  if (!value) return <Loading />;
  const { pages, pagination, limit } = value;
  const mayCreate = may('POST /v1/pages');
  const newPage = mayCreate && !isReached(limit) && (
    <Link to="/pages/new" class="button primary">
      <Icon name="add" /> {says.newPage}
    </Link>
  );
  return (
    <>
      <ScreenHead title={says.title}>{newPage}</ScreenHead>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {mayCreate && limit !== null && (
        <p class={isReached(limit) ? 'notice' : 'fine'}>
          {isReached(limit) ? says.limitReached(limit.limit) : says.used(limit.used, limit.limit)}
        </p>
      )}
      {pagination.total_items === 0 ? (
        <Empty title={says.none} text={says.noneText} />
      ) : (
        <DataTable label={says.title} columns={columnsOf()} rows={pages} keyOf={({ id }) => id} />
      )}
      <Pager
        pagination={pagination}
        onPage={(next) => {
          navigate(next === 1 ? '/pages' : `/pages?page=${next}`);
        }}
      />
    </>
  );
};
export default Pages;

const columnsOf = (): readonly Column<Page>[] => {
  const { pages: says, components, common } = words.value;
  return [
    {
      name: 'page',
      label: says.page,
      kind: 'key',
      cell: (page) => (
        <>
          <Link to={`/pages/${page.id}`}>
            <bdi>{page.name}</bdi>
          </Link>
          <ManagedBadge of={page} />
        </>
      ),
    },
    {
      name: 'status',
      label: components.status,
      cell: ({ worst_status }) => worst_status && <StatusShown status={worst_status} />,
    },
    { name: 'address', label: says.address, kind: 'wide', cell: (page) => <Addresses page={page} /> },
    { name: 'visible', label: says.visibleTo, cell: (page) => <Visibility page={page} /> },
    { name: 'updates', label: says.updates, kind: 'number', cell: ({ activity_score }) => activity_score },
    { name: 'changed', label: common.changed, cell: ({ updated_at }) => <Moment instant={updated_at} /> },
  ];
};

/** Links to the public URLs of a page. */
const Addresses = ({ page }: { page: Page }): JSX.Element => {
  const own = addressOfDomain(page);
  return (
    <a href={own ?? addressHere(page)} target="_blank" rel="noopener noreferrer">
      <bdi>{own === null ? `status/${page.subdomain}` : page.domain}</bdi> <Icon name="external" />
    </a>
  );
};

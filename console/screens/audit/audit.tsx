import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../api/failure.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { download } from '../../session/download.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { actorsOf } from './actors.ts';
import { Entries } from './entries.tsx';
import { exportPath, filterOf, queryOf, requestOf, type AuditFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';

const PER_PAGE = 50;
/** Export formats. Their names are the same in all languages. */
const FORMATS = [
  { format: 'csv', name: 'CSV' },
  { format: 'jsonl', name: 'JSON Lines' },
] as const;

/** The screen of the audit log. Users whose role does not permit reading it see a message. */
const Audit = (): JSX.Element => (may('GET /v1/audit') ? <Log /> : <Panel title={words.value.failure.forbidden} />);
export default Audit;

/** The entries of the audit log, newest first. */
const Log = (): JSX.Element => {
  const filter = filterOf(currentLocation.value.query);
  const says = words.value.audit;
  const failure = useSignal<Failure | null>(null);
  const actors = useLoaded(actorsOf, []);
  const log = useLoaded(
    (signal) => {
      const paging = {
        page: filter.page,
        per_page: PER_PAGE,
        ...(filter.page > 1 && filter.asOf !== '' && { created_until: filter.asOf }),
      };
      return call('GET /v1/audit', { query: { ...requestOf(filter), ...paging } }, { signal });
    },
    [queryOf(filter)],
  );
  const show = (next: AuditFilter): void => {
    navigate(`/audit${queryOf(next)}`, { replace: next.page === filter.page });
  };
  const save = async (format: 'csv' | 'jsonl'): Promise<void> => {
    failure.value = null;
    try {
      const accept = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
      await download(exportPath(filter, format), accept, `audit.${format}`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure.value = error;
    }
  };
  const known = actors.loaded.status === 'loaded' ? actors.loaded.value : { users: [], keys: [] };
  return (
    <>
      <ScreenHead title={words.value.screens.audit}>
        <Menu label={says.export}>
          {FORMATS.map(({ format, name }) => (
            <button key={format} onClick={() => void save(format)}>
              {name}
            </button>
          ))}
        </Menu>
      </ScreenHead>
      {failure.value && <FailureLine failure={failure.value} />}
      <FilterBar
        filter={filter}
        actors={known}
        onChange={(changes) => {
          show({ ...filter, ...changes, page: 1, asOf: '' });
        }}
      />
      <LoadedView of={log}>
        {({ audit_logs: entries, pagination }) =>
          entries.length === 0 ? (
            <p class="nothing">
              <Icon name="audit" /> {says.none}
            </p>
          ) : (
            <>
              <Entries entries={entries} actors={known} />
              <Pager
                pagination={{
                  page: pagination.page,
                  total_pages: pagination.pages,
                  total_items: pagination.total,
                }}
                onPage={(page) => {
                  const [first] = entries;
                  show({ ...filter, page, asOf: filter.page === 1 ? (first?.created_at ?? '') : filter.asOf });
                  scrollTo(0, 0);
                }}
              />
            </>
          )
        }
      </LoadedView>
    </>
  );
};

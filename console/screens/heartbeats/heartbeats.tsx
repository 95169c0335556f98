import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { StateIcon } from '../../../views/status/state.tsx';
import { useBindings } from '../../keys/bindings.ts';
import { useLive } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { filterOf, STATES, withState } from './filter.ts';
import { useLateRefresh } from './refresh-late.ts';
import { useListLocation, type ListLocation } from './list-location.ts';
import { listOf, type Heartbeat, type HeartbeatPage } from './source.ts';
import { Sections } from './sections.tsx';
import { shapeOf } from './state.tsx';

const NONE: readonly Heartbeat[] = [];

/** The heartbeat list, late heartbeats first. */
const Heartbeats = (): JSX.Element => {
  const at = useListLocation('/heartbeats');
  const filter = filterOf(at.appliedLine);
  const { loaded, again } = useLive(listOf(filter, at.page), [at.appliedLine, at.page]);
  const value = loaded.status === 'loading' ? null : loaded.value;
  const rows = useMemo(() => (value === null ? NONE : [...value.late, ...value.rest]), [value]);
  useLateRefresh(rows, again);
  const { screens, heartbeats: says } = words.value;
  return (
    <div class="heartbeats">
      <ScreenHead title={screens.heartbeats}>
        {may('POST /v1/heartbeats') && (
          <Link to="/heartbeats/new" class="button primary">
            <Icon name="add" /> {says.new}
          </Link>
        )}
      </ScreenHead>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && value === null && <FailurePanel failure={loaded.failure} again={again} />}
      {loaded.status === 'failed' && value !== null && <FailureLine failure={loaded.failure} again={again} />}
      {value !== null && <List at={at} listed={value} />}
    </div>
  );
};
export default Heartbeats;

const Empty = (): JSX.Element => {
  const { empty, emptyText, new: create } = words.value.heartbeats;
  return (
    <Panel title={empty} text={emptyText}>
      {may('POST /v1/heartbeats') && (
        <Link to="/heartbeats/new" class="button">
          {create}
        </Link>
      )}
    </Panel>
  );
};

const List = ({ at, listed }: { at: ListLocation; listed: HeartbeatPage }): JSX.Element => {
  const { late, lateCount, rest, pagination } = listed;
  const says = words.value.heartbeats;
  if (at.appliedLine === '' && at.line === '' && lateCount + pagination.total_items === 0) return <Empty />;
  return (
    <>
      <FilterBar at={at} count={lateCount + pagination.total_items} />
      {late.length + rest.length === 0 ? (
        <div class="nothing">
          <p>{says.noMatch}</p>
          <button
            class="button"
            onClick={() => {
              at.set('');
            }}
          >
            {says.showAll}
          </button>
        </div>
      ) : (
        <Sections listed={listed} onPage={at.setPage} />
      )}
    </>
  );
};

/** The filter of the list: one button per status, and a filter line. */
const FilterBar = ({ at, count }: { at: ListLocation; count: number }): JSX.Element => {
  const field = useRef<HTMLInputElement>(null);
  useBindings([{ key: '/', does: 'filter', act: () => field.current?.focus() }]);
  const says = words.value.heartbeats;
  const { statuses } = filterOf(at.line);
  return (
    <div class="filter" role="search">
      <input
        ref={field}
        type="search"
        value={at.line}
        onInput={({ currentTarget }) => {
          at.set(currentTarget.value);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur();
        }}
        placeholder={says.filterExample}
        aria-label={says.filter}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
      />
      <span class="fine" role="status">
        {says.matches(count)}
      </span>
      <div class="states" role="group" aria-label={says.status}>
        {STATES.map((state) => (
          <button
            key={state}
            class={`count state-${shapeOf(state)}`}
            aria-pressed={statuses.includes(state)}
            onClick={() => {
              at.set(withState(at.line, state));
            }}
          >
            <StateIcon state={shapeOf(state)} /> {says.states[state]}
          </button>
        ))}
      </div>
    </div>
  );
};

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLive } from '../../live/live-data.ts';
import { Icon } from '../../parts/icon.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SearchField } from '../../parts/rows/search-field.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { AlertsHead } from '../alerts/head.tsx';
import type { Rule } from './draft.ts';
import { filterOf, rulesMatching, PAGE_SIZE, ruleListPath } from './filter.ts';
import { RULES, rulesFor } from './source.ts';
import { RulesTable } from './table.tsx';

/** The list of alert rules. */
const Rules = (): JSX.Element => {
  const filter = filterOf(currentLocation.value.query);
  const { check_id, tag } = filter;
  const source = check_id !== null ? rulesFor({ check_id }) : tag !== null ? rulesFor({ tag }) : RULES;
  const { loaded, again } = useLive(source, [check_id, tag]);
  const { alertRules: says } = words.value;
  const value = loaded.status === 'loading' ? null : loaded.value;
  return (
    <>
      <AlertsHead>
        {may('POST /v1/alerts/rules') && (
          <Link to={newRulePath(check_id, tag)} class="button primary">
            <Icon name="add" />
            {says.add}
          </Link>
        )}
      </AlertsHead>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' &&
        (value ? (
          <FailureLine failure={loaded.failure} again={again} />
        ) : (
          <FailurePanel failure={loaded.failure} again={again} />
        ))}
      {value && <List rules={value} again={again} />}
    </>
  );
};
export default Rules;

const newRulePath = (check_id: string | null, tag: string | null): string => {
  const query = new URLSearchParams({ ...(check_id !== null && { check_id }), ...(tag !== null && { tag }) });
  return `/alerts/rules/new${query.size > 0 ? `?${query.toString()}` : ''}`;
};

const List = ({ rules, again }: { rules: readonly Rule[]; again: () => void }): JSX.Element => {
  const filter = filterOf(currentLocation.value.query);
  const changed = useSignal<ReadonlyMap<string, Rule | null>>(new Map());
  const { alertRules: says } = words.value;
  const isBare = ruleListPath(filter) === '/alerts/rules';
  if (rules.length === 0 && isBare) return <Panel title={says.none} text={says.noneText} />;
  const present = rules.flatMap((rule) => {
    const now = changed.value.get(rule.id);
    return now === null ? [] : [now !== undefined && now.revision >= rule.revision ? now : rule];
  });
  const found = rulesMatching(present, filter.text);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(filter.page, pages);
  return (
    <>
      <div class="filter" role="search">
        <SearchField
          label={says.search}
          value={filter.text}
          onSearch={(text) => {
            navigate(ruleListPath({ ...filter, text, page: 1 }), { replace: true });
          }}
        />
        {filter.tag !== null && (
          <Link to={ruleListPath({ ...filter, tag: null })} class="button">
            {says.ofTag}: {filter.tag} ×
          </Link>
        )}
        {filter.check_id !== null && (
          <Link to={ruleListPath({ ...filter, check_id: null })} class="button">
            {says.check}:{' '}
            <bdi>{present.find(({ check_name }) => check_name !== null)?.check_name ?? filter.check_id}</bdi> ×
          </Link>
        )}
      </div>
      {found.length === 0 ? (
        <p class="nothing">{says.noMatch}</p>
      ) : (
        <RulesTable
          rules={found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
          onChange={(id, rule) => {
            changed.value = new Map([...changed.value, [id, rule]]);
          }}
          again={again}
        />
      )}
      <Pager
        pagination={{ page, total_pages: pages, total_items: found.length }}
        onPage={(next) => {
          navigate(ruleListPath({ ...filter, page: next }));
        }}
      />
    </>
  );
};

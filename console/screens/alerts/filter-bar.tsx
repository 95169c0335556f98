import type { JSX } from 'preact';
import { Icon } from '../../parts/icon.tsx';
import { SearchField } from '../../parts/rows/search-field.tsx';
import { SEVERITIES } from '../../parts/severity.ts';
import { navigate } from '../../router/router.ts';
import { words } from '../../shell/language.ts';
import { alertListPath, STATUSES, withSeverity, type Filter, type Row, type Status } from './filter.ts';

/** Id of the element that the key `/` focuses. */
export const SEARCH_ID = 'alerts-search';

const go = (filter: Filter): void => {
  navigate(alertListPath(filter), { replace: true });
};

export interface FilterBarProps {
  filter: Filter;
  /** the loaded rows, which contain the name of the check or rule in the filter; null: not loaded yet */
  rows: ReadonlyMap<string, Row> | null;
}

/** The filter of the alert list: status, severity, text, and the check or rule in the URL. */
export const FilterBar = ({ filter, rows }: FilterBarProps): JSX.Element => {
  const { alerts: says, severities } = words.value;
  const [first] = rows?.values() ?? [];
  return (
    <div class="filter" role="search">
      <label>
        <span class="hidden">{says.status}</span>
        <select
          value={filter.status}
          onChange={({ currentTarget }) => {
            go({ ...filter, page: 1, status: currentTarget.value as Status });
          }}
        >
          {STATUSES.map((status) => (
            <option key={status} value={status} selected={status === filter.status}>
              {says.filters[status]}
            </option>
          ))}
        </select>
      </label>
      <div class="severities" role="group" aria-label={says.severity}>
        {SEVERITIES.map((severity) => (
          <button
            key={severity}
            aria-pressed={filter.severities.includes(severity)}
            onClick={() => {
              go(withSeverity(filter, severity));
            }}
          >
            {severities[severity]}
          </button>
        ))}
      </div>
      <SearchField
        id={SEARCH_ID}
        label={says.search}
        placeholder={says.searchExample}
        value={filter.text}
        onSearch={(text) => {
          go({ ...filter, page: 1, text });
        }}
      />
      {filter.check_id !== null && (
        <LinkedFilter
          label={says.check}
          name={first?.check_name ?? filter.check_id}
          onRemove={() => {
            go({ ...filter, page: 1, check_id: null });
          }}
        />
      )}
      {filter.rule_id !== null && (
        <LinkedFilter
          label={says.rule}
          name={first?.rule_name ?? filter.rule_id}
          onRemove={() => {
            go({ ...filter, page: 1, rule_id: null });
          }}
        />
      )}
    </div>
  );
};

/** Shows the check or rule that the URL selects. */
const LinkedFilter = ({
  label,
  name,
  onRemove,
}: {
  label: string;
  name: string;
  onRemove: () => void;
}): JSX.Element => (
  <span class="chosen">
    <span>
      {label}: <bdi>{name}</bdi>
    </span>
    <button class="icon-button" aria-label={`${words.value.common.remove}: ${label}`} onClick={onRemove}>
      <Icon name="close" />
    </button>
  </span>
);

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from '../../../parts/icon.tsx';
import { words } from '../../../shell/language.ts';
import { MODES, queryOf, STATUSES, type Filter, type Mode, type Status } from './filter.ts';

/** Debounce of the address search, in milliseconds. It is long because each search decrypts all addresses. */
const REST_MS = 500;

export interface FilterBarProps {
  filter: Filter;
  counts: Readonly<Record<Status, number>>;
  onFilter: (filter: Filter) => void;
}

/** The filter of the subscriber list: search, kind and status. */
export const FilterBar = ({ filter, counts, onFilter }: FilterBarProps): JSX.Element => {
  const text = useSignal(filter.q);
  const { subscribers: says, common } = words.value;
  useEffect(() => {
    text.value = filter.q;
  }, [filter.q]);
  const search = (): void => {
    const q = text.value.trim();
    if (q !== filter.q) onFilter({ ...filter, q, page: 1 });
  };
  useEffect(() => {
    const timer = setTimeout(search, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text.value, queryOf(filter)]);
  const countOf = (status: Status): string => `${says.statuses[status]} (${counts[status]})`;
  return (
    <form
      class="subscriber-filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <label class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={says.search}
          placeholder={says.searchHint}
          value={text.value}
          maxLength={300}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </label>
      <select
        aria-label={says.mode}
        value={filter.mode}
        onChange={({ currentTarget }) => {
          onFilter({ ...filter, q: text.value.trim(), mode: currentTarget.value as Mode | '', page: 1 });
        }}
      >
        <option value="">
          {says.mode}: {common.all}
        </option>
        {MODES.map((mode) => (
          <option key={mode} value={mode} selected={mode === filter.mode}>
            {says.modes[mode]}
          </option>
        ))}
      </select>
      <select
        aria-label={says.status}
        value={filter.status}
        onChange={({ currentTarget }) => {
          onFilter({ ...filter, q: text.value.trim(), status: currentTarget.value as Status | '', page: 1 });
        }}
      >
        <option value="">
          {says.status}: {common.all}
        </option>
        {STATUSES.map((status) => (
          <option key={status} value={status} selected={status === filter.status}>
            {countOf(status)}
          </option>
        ))}
      </select>
    </form>
  );
};

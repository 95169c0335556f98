import type { JSX } from 'preact';
import { instantOf, localOf } from '../../../parts/form/local-time.ts';
import { regionText } from '../../../parts/region-text.ts';
import { words } from '../../../shell/language.ts';
import { replaceQuery } from '../change-query.ts';
import type { ResultsFilter } from './filter.ts';

export interface FiltersProps {
  filter: ResultsFilter;
  /** the regions of recent results */
  regions: readonly string[];
}

/** The filter of the result list, stored in the URL. */
export const Filters = ({ filter: { isFailuresOnly, region, from, to }, regions }: FiltersProps): JSX.Element => {
  const { check: says } = words.value;
  const known = region === null || regions.includes(region) ? regions : [...regions, region];
  const moment = (name: 'from' | 'to', label: string, value: string | null): JSX.Element => (
    <label>
      <span>{label}</span>
      <input
        type="datetime-local"
        value={value === null ? '' : localOf(value)}
        onChange={({ currentTarget }) => {
          replaceQuery({ [name]: instantOf(currentTarget.value), page: null });
        }}
      />
    </label>
  );
  return (
    <div class="result-filters" role="group" aria-label={says.filters}>
      <label class="check-box">
        <input
          type="checkbox"
          checked={isFailuresOnly}
          onChange={({ currentTarget }) => {
            replaceQuery({ failures: currentTarget.checked ? '1' : null, page: null });
          }}
        />
        <span>{says.failuresOnly}</span>
      </label>
      {known.length > 1 && (
        <label>
          <span>{says.region}</span>
          <select
            value={region ?? ''}
            onChange={({ currentTarget }) => {
              replaceQuery({ of: currentTarget.value, page: null });
            }}
          >
            <option value="">{says.allRegions}</option>
            {known.map((one) => (
              <option key={one} value={one} selected={one === region}>
                {regionText(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      {moment('from', says.from, from)}
      {moment('to', says.to, to)}
    </div>
  );
};

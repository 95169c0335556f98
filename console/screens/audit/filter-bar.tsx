import type { JSX } from 'preact';
import { words } from '../../shell/language.ts';
import type { Actors } from './actors.ts';
import { RESOURCE_TYPES } from './entry.ts';
import type { AuditFilter } from './filter.ts';

export interface FilterBarProps {
  filter: AuditFilter;
  actors: Actors;
  onChange: (changes: Partial<AuditFilter>) => void;
}

/** Filters the log by actor, resource and time. */
export const FilterBar = ({ filter, actors, onChange }: FilterBarProps): JSX.Element => {
  const says = words.value.audit;
  const { actor } = filter;
  const isKnown =
    actor === '' || actors.users.some(({ id }) => id === actor) || actors.keys.some(({ id }) => id === actor);
  const isFiltered = Object.entries(filter).some(([name, value]) => name !== 'page' && name !== 'asOf' && value !== '');
  return (
    <div class="audit-filter" role="search" aria-label={says.filter}>
      <label>
        <span>{says.who}</span>
        <select
          value={actor}
          onChange={({ currentTarget }) => {
            onChange({ actor: currentTarget.value });
          }}
        >
          <option value="">{says.anybody}</option>
          {!isKnown && <option value={actor}>{actor}</option>}
          <optgroup label={words.value.screens.people}>
            {actors.users.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
          <optgroup label={words.value.screens.keys}>
            {actors.keys.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      <label>
        <span>{says.what}</span>
        <select
          value={filter.resourceType}
          onChange={({ currentTarget }) => {
            onChange({ resourceType: currentTarget.value, resourceId: '' });
          }}
        >
          <option value="">{says.anything}</option>
          {RESOURCE_TYPES.map((type) => (
            <option key={type} value={type}>
              {says.resources[type]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{says.from}</span>
        <input
          type="date"
          value={filter.from}
          max={filter.until || undefined}
          onChange={({ currentTarget }) => {
            onChange({ from: currentTarget.value });
          }}
        />
      </label>
      <label>
        <span>{says.until}</span>
        <input
          type="date"
          value={filter.until}
          min={filter.from || undefined}
          onChange={({ currentTarget }) => {
            onChange({ until: currentTarget.value });
          }}
        />
      </label>
      {isFiltered && (
        <button
          class="button quiet"
          onClick={() => {
            onChange({ actor: '', resourceType: '', resourceId: '', from: '', until: '' });
          }}
        >
          {says.clear}
        </button>
      )}
    </div>
  );
};

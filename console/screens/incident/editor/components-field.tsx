import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../../../parts/icon.tsx';
import { FieldFrame } from '../../../parts/form/field-frame.tsx';
import { words } from '../../../shell/language.ts';
import { COMPONENT_STATUSES, type Component, type ComponentStatus, type Draft, type Kind } from './draft.ts';

export interface ComponentsFieldProps {
  /** statuses in the draft, by component id */
  value: Draft['components'];
  /** components and groups of the page, by position */
  components: readonly Component[];
  /** ids of the components that are already part of the incident; they are always listed */
  named: readonly string[];
  problem: string | null;
  /** determines the initial status of an added component */
  kind: Kind;
  /** sets the status of a component in the draft; null removes the component */
  onChange: (id: string, status: ComponentStatus | null) => void;
}

interface Group {
  id: string;
  name: string | null;
  components: readonly Component[];
}

/** Returns components by group, ungrouped components first, without empty groups. */
export const byGroup = (components: readonly Component[]): Group[] => {
  const single = components.filter(({ group }) => !group);
  const groups = components.filter(({ group }) => group);
  const known = new Set(groups.map(({ id }) => id));
  return [
    { id: '', name: null, components: single.filter(({ group_id }) => group_id === null || !known.has(group_id)) },
    ...groups.map(({ id, name }) => ({ id, name, components: single.filter(({ group_id }) => group_id === id) })),
  ].filter((group) => group.components.length > 0);
};

/** The initial status of an added component. */
const FIRST: Readonly<Record<Kind, ComponentStatus>> = { incident: 'partial_outage', maintenance: 'under_maintenance' };

/** The fields for the components of an update and their new statuses. */
export const ComponentsField = (props: ComponentsFieldProps): JSX.Element => {
  const { value, components, named, problem, kind, onChange } = props;
  const id = useId();
  const { incidents: says } = words.value;
  const known = new Map(components.map((one) => [one.id, one]));
  const listed = [...new Set([...named, ...Object.keys(value)])].flatMap((one) => known.get(one) ?? []);
  const rest = byGroup(components.filter((one) => one.group || !listed.some((other) => other.id === one.id)));
  return (
    <FieldFrame field={{ label: says.components, name: 'components', problem }} id={id} group>
      <ul class="component-rows">
        {listed.map((one) => (
          <li key={one.id}>
            <bdi class="name">{one.name}</bdi>
            <select
              aria-label={`${says.status}: ${one.name}`}
              value={value[one.id] ?? ''}
              onChange={({ currentTarget }) => {
                const chosen = COMPONENT_STATUSES.find((status) => status === currentTarget.value);
                onChange(one.id, chosen ?? null);
              }}
            >
              {named.includes(one.id) && (
                <option value="" selected={!(one.id in value)}>
                  {says.unchanged(says.componentStatuses[one.status])}
                </option>
              )}
              {COMPONENT_STATUSES.map((status) => (
                <option key={status} value={status} selected={value[one.id] === status}>
                  {says.componentStatuses[status]}
                </option>
              ))}
            </select>
            {!named.includes(one.id) && (
              <button
                type="button"
                class="icon-button"
                aria-label={`${words.value.common.remove}: ${one.name}`}
                onClick={() => {
                  onChange(one.id, null);
                }}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <select
          class="wide"
          aria-label={says.addComponent}
          aria-invalid={problem !== null}
          value=""
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== '') onChange(currentTarget.value, FIRST[kind]);
            currentTarget.value = '';
          }}
        >
          <option value="" selected>
            {says.addComponent}
          </option>
          {rest.map((group) =>
            group.name === null ? (
              group.components.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))
            ) : (
              <optgroup key={group.id} label={group.name}>
                {group.components.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
              </optgroup>
            ),
          )}
        </select>
      )}
    </FieldFrame>
  );
};

import type { JSX } from 'preact';
import { stateOfComponent, StatePill } from '../../../views/status/state.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ZonedMoment } from '../../parts/times/zoned-moment.tsx';
import { words } from '../../shell/language.ts';
import { statusChangesOf } from './component-changes.ts';
import type { Component, Incident } from './editor/draft.ts';

export interface ComponentHistoryProps {
  incident: Incident;
  components: readonly Component[];
  /** time zone of the page */
  zone: string;
}

/** The components of an incident: their statuses and status changes. */
export const ComponentHistory = ({ incident, components, zone }: ComponentHistoryProps): JSX.Element => {
  const { common, incidents: says } = words.value;
  const course = statusChangesOf(incident);
  const named = components.filter(({ id }) => course.has(id));
  if (named.length === 0) return <p class="muted">{says.noComponents}</p>;
  return (
    <DataTable
      label={says.components}
      rows={named}
      keyOf={({ id }) => id}
      columns={[
        { name: 'name', label: common.name, kind: 'key', cell: ({ name }) => <bdi>{name}</bdi> },
        {
          name: 'now',
          label: says.now,
          cell: ({ status }) => <StatePill state={stateOfComponent(status)} label={says.componentStatuses[status]} />,
        },
        {
          name: 'course',
          label: says.course,
          kind: 'wide',
          cell: ({ id }) => (
            <ol class="status-course">
              {course.get(id)?.map(({ at, status }) => (
                <li key={at}>
                  <ZonedMoment instant={at} zone={zone} /> {says.componentStatuses[status]}
                </li>
              ))}
            </ol>
          ),
        },
      ]}
    />
  );
};

import type { JSX } from 'preact';
import { StateIcon, stateOfComponent } from '../../../../views/status/state.tsx';
import { words } from '../../../shell/language.ts';
import type { Component } from './tree.ts';

export type Status = Component['status'];

/** All component statuses, from best to worst. */
export const STATUSES = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const satisfies readonly Status[];

export interface StatusButtonsProps {
  name: string;
  status: Status;
  onSet: (status: Status) => void;
}

/** Buttons for each status of a component. Arrow keys move between the buttons without setting a status. */
export const StatusButtons = ({ name, status, onSet }: StatusButtonsProps): JSX.Element => {
  const { components: says } = words.value;
  return (
    <div
      class="statuses"
      role="group"
      aria-label={`${says.status}: ${name}`}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (step === 0 || !(event.target instanceof HTMLElement)) return;
        event.preventDefault();
        const next = step === 1 ? event.target.nextElementSibling : event.target.previousElementSibling;
        if (next instanceof HTMLElement) next.focus();
      }}
    >
      {STATUSES.map((one) => (
        <button
          key={one}
          type="button"
          class={`state-${stateOfComponent(one)}`}
          aria-pressed={one === status}
          aria-label={says.statuses[one]}
          title={says.statuses[one]}
          tabIndex={one === status ? 0 : -1}
          onClick={() => {
            if (one !== status) onSet(one);
          }}
        >
          <StateIcon state={stateOfComponent(one)} />
        </button>
      ))}
    </div>
  );
};

/** A status as an icon and a word. */
export const StatusShown = ({ status }: { status: Status }): JSX.Element => (
  <span class="status-shown">
    <StateIcon state={stateOfComponent(status)} /> {words.value.components.statuses[status]}
  </span>
);

import type { JSX } from 'preact';
import { Icon } from '../../../parts/icon.tsx';
import { Link } from '../../../parts/link.tsx';
import { Menu } from '../../../parts/overlays/menu.tsx';
import { ManagedBadge } from '../../../parts/managed.tsx';
import { words } from '../../../shell/language.ts';
import { StatusButtons, StatusShown, type Status } from './statuses.tsx';
import type { Component } from './tree.ts';

/** Where a dragged item would be dropped. */
export type Drop = 'before' | 'after' | 'into';

export interface RowProps {
  component: Component;
  /** whether the user is allowed to change the component */
  isEditable: boolean;
  /** id of the element that explains how to move the component */
  hintId: string;
  isDragged: boolean;
  drop: Drop | null;
  /** opens the drawer of the component */
  onOpen: () => void;
  onDelete: () => void;
  onSet: (status: Status) => void;
  onStep: (direction: -1 | 1) => void;
  onDrag: (isBegin: boolean) => void;
  onOver: (drop: Drop) => void;
  onDrop: () => void;
}

/** Returns where the dragged item would be dropped, relative to the row under the pointer. */
const dropAt = (event: DragEvent, isGroup: boolean): Drop => {
  const { top, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const share = (event.clientY - top) / height;
  if (isGroup) return share < 0.3 ? 'before' : 'into';
  return share < 0.5 ? 'before' : 'after';
};

/** A row of the component list. */
export const Row = (props: RowProps): JSX.Element => {
  const { component, isEditable, isDragged, drop, onStep } = props;
  const { components: says, common } = words.value;
  const classes = ['component', component.group && 'is-group', isDragged && 'dragged', drop && `drop-${drop}`];
  return (
    <div
      class={classes.filter(Boolean).join(' ')}
      data-id={component.id}
      onDragOver={(event) => {
        event.preventDefault();
        props.onOver(dropAt(event, component.group));
      }}
      onDrop={(event) => {
        event.preventDefault();
        props.onDrop();
      }}
    >
      {isEditable && (
        <button
          type="button"
          class="icon-button handle"
          draggable
          aria-label={`${says.move}: ${component.name}`}
          aria-describedby={props.hintId}
          onDragStart={(event) => {
            event.dataTransfer?.setData('text/plain', component.name);
            props.onDrag(true);
          }}
          onDragEnd={() => {
            props.onDrag(false);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
            event.preventDefault();
            onStep(event.key === 'ArrowUp' ? -1 : 1);
          }}
        >
          <Icon name="drag" />
        </button>
      )}
      <span class="name">
        {isEditable || !component.group ? (
          <button type="button" class="text" onClick={props.onOpen}>
            <bdi>{component.name}</bdi>
          </button>
        ) : (
          <bdi>{component.name}</bdi>
        )}
        <ManagedBadge of={component} />
        <Notes component={component} />
      </span>
      {isEditable && !component.group ? (
        <StatusButtons name={component.name} status={component.status} onSet={props.onSet} />
      ) : (
        <StatusShown status={component.status} />
      )}
      {isEditable && (
        <Menu label={`${common.actions}: ${component.name}`} icon="more">
          <button type="button" onClick={props.onOpen}>
            {common.edit}
          </button>
          <button
            type="button"
            onClick={() => {
              onStep(-1);
            }}
          >
            {says.moveUp}
          </button>
          <button
            type="button"
            onClick={() => {
              onStep(1);
            }}
          >
            {says.moveDown}
          </button>
          <button type="button" class="danger" onClick={props.onDelete}>
            {common.delete}
          </button>
        </Menu>
      )}
    </div>
  );
};

/** A summary of a component's settings. */
const Notes = ({ component }: { component: Component }): JSX.Element => {
  const { notes } = words.value.components;
  const { check_id, check_tag } = component;
  return (
    <span class="notes">
      {check_id !== null && <Link to={`/checks/${check_id}`}>{notes.check}</Link>}
      {check_tag !== null && (
        <Link to={`/checks?${new URLSearchParams({ filter: `tag:${check_tag}` }).toString()}`}>
          {notes.tag} {check_tag}
        </Link>
      )}
      {component.show_response_times && <span>{notes.responseTimes}</span>}
      {!component.group && !component.showcase && <span>{notes.uptimeHidden}</span>}
      {component.only_show_if_degraded && <span>{notes.onlyIfDegraded}</span>}
    </span>
  );
};

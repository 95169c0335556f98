import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { StateIcon, type State } from '../../../views/status/state.tsx';
import type { Failure } from '../../api/failure.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { numberFormat } from '../../parts/number-format.ts';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { ManagedBadge } from '../../parts/managed.tsx';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import { positionsFor, withPositions } from './order.ts';
import type { Group } from './source.ts';
import { Swatch } from './swatch.tsx';

interface GroupListProps {
  groups: readonly Group[];
  /** updates the display before the stream confirms the change */
  change: (how: (groups: readonly Group[]) => readonly Group[]) => void;
  again: () => void;
}

/** The list of groups. The user can reorder them by dragging or with buttons. */
export const GroupList = ({ groups, change, again }: GroupListProps): JSX.Element => {
  const failure = useSignal<Failure | null>(null);
  const said = useSignal('');
  const dragged = useSignal<string | null>(null);
  const over = useSignal<string | null>(null);
  /** The pending requests. Each move is sent after the previous one has completed. */
  const sending = useRef(Promise.resolve());

  const move = (group: Group, to: number): void => {
    if (to < 0 || to >= groups.length) return;
    const changes = positionsFor(groups, group.id, to);
    change((all) => withPositions(all, changes));
    said.value = words.value.groups.moved(group.name, to + 1, groups.length);
    failure.value = null;
    sending.current = sending.current.then(async () => {
      try {
        for (const { id, position } of changes)
          await call('PATCH /v1/check-groups/{group_id}', { params: { group_id: id }, body: { position } });
      } catch (error) {
        failure.value = error as Failure;
        again();
      }
    });
  };
  const drop = (target: Group): void => {
    const group = groups.find(({ id }) => id === dragged.value);
    if (group && group !== target) move(group, groups.indexOf(target));
    dragged.value = null;
    over.value = null;
  };
  const mayMove = may('PATCH /v1/check-groups/{group_id}');
  return (
    <>
      {failure.value && <FailureLine failure={failure.value} />}
      <p class="hidden" role="status">
        {said.value}
      </p>
      <ol class="group-list">
        {groups.map((group, place) => (
          <li
            key={group.id}
            data-over={over.value === group.id && dragged.value !== group.id}
            draggable={mayMove}
            onDragStart={(event) => {
              dragged.value = group.id;
              event.dataTransfer?.setData('text/plain', group.name);
            }}
            onDragOver={(event) => {
              if (dragged.value === null) return;
              event.preventDefault();
              over.value = group.id;
            }}
            onDrop={(event) => {
              event.preventDefault();
              drop(group);
            }}
            onDragEnd={() => {
              dragged.value = null;
              over.value = null;
            }}
          >
            <GroupLine group={group} />
            {mayMove && (
              <Moves
                name={group.name}
                isFirst={place === 0}
                isLast={place === groups.length - 1}
                onMove={(by) => {
                  move(group, place + by);
                }}
              />
            )}
          </li>
        ))}
      </ol>
    </>
  );
};

const STATUSES = [
  ['down', 'major'],
  ['pending', 'none'],
  ['up', 'operational'],
  ['paused', 'none'],
] as const satisfies readonly (readonly [keyof Group['status_summary'], State])[];

/** A row with a group and the states of its checks. */
const GroupLine = ({ group }: { group: Group }): JSX.Element => {
  const { id, name, description, color, active, status, checks_count, status_summary } = group;
  const { groups: says, states } = words.value;
  const numbers = numberFormat(language.value);
  const shape = STATUSES.find(([one]) => one === status)?.[1] ?? 'none';
  return (
    <>
      <StateIcon state={shape} />
      <div class="what">
        <span class="title">
          <Swatch color={color} />
          <Link to={`/groups/${id}`}>
            <bdi>{name}</bdi>
          </Link>
          {!active && <span class="fine">{says.pausedGroup}</span>}
          <ManagedBadge of={group} />
        </span>
        {description !== null && <bdi class="fine">{description}</bdi>}
      </div>
      <ul class="summary">
        {STATUSES.filter(([one]) => status_summary[one] > 0).map(([one, state]) => (
          <li key={one} class={`state-${state}`}>
            {numbers.format(status_summary[one])} {states[one]}
          </li>
        ))}
      </ul>
      <Link to={`/checks?filter=group:${id}`} class="checks-link">
        {says.checks(checks_count)}
      </Link>
    </>
  );
};

interface MovesProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
}

/** Buttons that move a group up and down. A button keeps the focus, so that the user can press it several times. */
const Moves = ({ name, isFirst, isLast, onMove }: MovesProps): JSX.Element => {
  const { moveUp, moveDown, drag } = words.value.groups;
  const button = (label: string, icon: 'up' | 'down', isOff: boolean, by: 1 | -1): JSX.Element => (
    <button
      class="icon-button"
      aria-label={`${label}: ${name}`}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onMove(by);
      }}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <span class="moves">
      {button(moveUp, 'up', isFirst, -1)}
      {button(moveDown, 'down', isLast, 1)}
      <span class="handle" title={drag}>
        <Icon name="drag" />
      </span>
    </span>
  );
};

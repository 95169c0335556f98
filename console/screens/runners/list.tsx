import type { JSX } from 'preact';
import { StatePill, type State } from '../../../views/status/state.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { isPrivateRegion } from '../../parts/region-text.ts';
import { durationOf, Moment, Since } from '../../parts/times/since.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { may } from '../../session/permissions.ts';
import { user } from '../../session/session.ts';
import { language, words } from '../../shell/language.ts';
import { locationNames, notableOffset } from './order.ts';
import type { Runner } from './source.ts';

/** Actions on a runner. */
export type Action = 'rename' | 'rotate' | 'revoke' | 'add';

export interface ListProps {
  /** the shown runners, in order */
  runners: readonly Runner[];
  /** all runners; needed because runners that are not shown may determine the name of a private location */
  all: readonly Runner[];
  /** whether revoked runners are shown */
  isRevoked: boolean;
  onChoose: (action: Action, runner: Runner) => void;
}

/** The table of runners. */
export const List = ({ runners, all, isRevoked, onChoose }: ListProps): JSX.Element => {
  const { common, runners: says, screens } = words.value;
  const locations = locationNames(all);
  const columns: Column<Runner>[] = [
    { name: 'name', label: common.name, kind: 'key', cell: ({ name }) => <bdi>{name}</bdi> },
    { name: 'state', label: says.state, cell: (runner) => <RunnerStatus of={runner} /> },
    {
      name: 'region',
      label: words.value.check.region,
      cell: (runner) => <RunnerRegion of={runner} location={locations.get(runner.region) ?? null} />,
    },
    {
      name: 'last',
      label: says.lastContact,
      cell: ({ last_contact_at: last }) => (last === null ? says.never : <Since instant={last} />),
    },
    ...(isRevoked
      ? [
          {
            name: 'revoked',
            label: says.states.revoked,
            cell: ({ revoked_at: at }: Runner) => (at === null ? '–' : <Moment instant={at} />),
          },
        ]
      : [{ name: 'load', label: says.load, cell: (runner: Runner) => <Load of={runner} /> }]),
    { name: 'program', label: says.program, cell: (runner) => <Program of={runner} /> },
    { name: 'types', label: says.types, cell: (runner) => <Types of={runner} /> },
    ...(may('POST /v1/runners') && !isRevoked
      ? [
          {
            name: 'do',
            label: common.actions,
            kind: 'actions' as const,
            cell: (runner: Runner) =>
              isOwn(runner) && (
                <Actions
                  of={runner}
                  onChoose={(action) => {
                    onChoose(action, runner);
                  }}
                />
              ),
          },
        ]
      : []),
  ];
  return (
    <div class="runners">
      <DataTable label={screens.runners} columns={columns} rows={runners} keyOf={({ id }) => id} />
    </div>
  );
};

/**
 * Returns whether a runner belongs to the user's organization. Operators of the service also see the runners of other
 * organizations.
 */
const isOwn = ({ organization_id }: Runner): boolean => organization_id === user.value?.organization_id;

const SHAPES: Readonly<Record<Runner['state'], State>> = {
  connected: 'operational',
  silent: 'major',
  waiting: 'maintenance',
  revoked: 'none',
};

/** The state of a runner, with warnings. */
const RunnerStatus = ({ of: runner }: { of: Runner }): JSX.Element => {
  const says = words.value.runners;
  const offset = notableOffset(runner);
  const duration = durationOf(Math.abs(offset ?? 0), language.value);
  return (
    <span class="stacked">
      <StatePill state={SHAPES[runner.state]} label={says.states[runner.state]} />
      {runner.alone && <span class="fine">{says.alone}</span>}
      {offset !== null && <span class="fine">{offset > 0 ? says.ahead(duration) : says.behind(duration)}</span>}
    </span>
  );
};

const RunnerRegion = ({ of: runner, location }: { of: Runner; location: string | null }): JSX.Element => {
  const says = words.value.runners;
  return (
    <span class="stacked">
      <bdi>{location ?? runner.region}</bdi>
      {isPrivateRegion(runner.region) && <span class="fine">{says.privateLocation}</span>}
      {!isOwn(runner) && (
        <span class="fine">
          {says.otherOrganization} <code>{runner.organization_id}</code>
        </span>
      )}
    </span>
  );
};

const Load = ({ of: { load, instances } }: { of: Runner }): JSX.Element => {
  const says = words.value.runners;
  if (!load) return <>–</>;
  return (
    <span class="stacked">
      {says.runs(load.in_flight, load.capacity)}
      {instances > 1 && <span class="fine">{says.processes(instances)}</span>}
    </span>
  );
};

/** Shows the version and the address of a runner. */
const Program = ({ of: { version, address } }: { of: Runner }): JSX.Element => (
  <span class="stacked">
    <bdi>{version ?? '–'}</bdi>
    {address !== null && <code class="fine">{address}</code>}
  </span>
);

/**
 * Shows the check types that a runner supports, and its reasons for not supporting the others. The reasons are
 * untrusted text from the runner.
 */
const Types = ({ of: { check_types: types, lacking } }: { of: Runner }): JSX.Element => {
  const says = words.value.runners;
  return (
    <span class="stacked types">
      <bdi>{types.length === 0 ? '–' : types.join(', ')}</bdi>
      {lacking.length > 0 && (
        <details>
          <summary>{says.lacking(lacking.length)}</summary>
          <dl>
            {lacking.map(({ type, reason }) => (
              <div key={type}>
                <dt>
                  <bdi>{type}</bdi>
                </dt>
                <dd>
                  <bdi>{reason}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </span>
  );
};

const Actions = ({ of: runner, onChoose }: { of: Runner; onChoose: (action: Action) => void }): JSX.Element => {
  const { common, runners: says } = words.value;
  const actions: readonly (readonly [Action, string])[] = [
    ['rename', says.rename],
    ['rotate', says.rotate],
    ['add', says.add],
    ['revoke', says.revoke],
  ];
  return (
    <Menu label={`${common.actions}: ${runner.name}`} icon="more">
      {actions.map(([action, word]) => (
        <button
          key={action}
          class={action === 'revoke' ? 'danger' : undefined}
          onClick={() => {
            onChoose(action);
          }}
        >
          {word}
        </button>
      ))}
    </Menu>
  );
};

import type { JSX } from 'preact';
import { DataTable, type Column } from '../../../parts/data-table.tsx';
import { Link } from '../../../parts/link.tsx';
import { Menu } from '../../../parts/overlays/menu.tsx';
import { Moment } from '../../../parts/times/since.tsx';
import { may } from '../../../session/permissions.ts';
import { words } from '../../../shell/language.ts';
import { addressOf, statusOf, type Subscriber } from './filter.ts';

/** Actions on a subscriber. */
export type Action = 'ask again' | 'scope' | 'toggle' | 'rotate' | 'delete';

export interface SubscriberTableProps {
  page_id: string;
  subscribers: readonly Subscriber[];
  onAction: (action: Action, subscriber: Subscriber) => void;
}

export const SubscriberTable = ({ page_id, subscribers, onAction }: SubscriberTableProps): JSX.Element => {
  const { subscribers: says, pages, common } = words.value;
  const columns: Column<Subscriber>[] = [
    {
      name: 'address',
      label: says.address,
      kind: 'key',
      cell: (subscriber) => <bdi>{addressOf(subscriber)}</bdi>,
    },
    { name: 'mode', label: says.mode, cell: ({ mode }) => says.modes[mode] },
    {
      name: 'status',
      label: says.status,
      kind: 'wide',
      cell: (subscriber) => <SubscriptionStatus subscriber={subscriber} />,
    },
    {
      name: 'scope',
      label: says.scope,
      cell: ({ component_ids, incident_id }) =>
        incident_id !== null ? (
          <Link to={`/pages/${page_id}/incidents/${incident_id}`}>{says.oneIncident}</Link>
        ) : component_ids === null ? (
          says.everything
        ) : (
          says.componentsOf(component_ids.length)
        ),
    },
    { name: 'since', label: says.since, cell: ({ created_at }) => <Moment instant={created_at} /> },
  ];
  const menu: Column<Subscriber> = {
    name: 'row-actions',
    label: common.actions,
    kind: 'actions',
    cell: (subscriber) => <SubscriberActions subscriber={subscriber} onAction={onAction} />,
  };
  const isEditable = may('PATCH /v1/pages/{page_id}/subscribers/{subscriber_id}');
  return (
    <DataTable
      label={pages.tabs.subscribers}
      columns={isEditable ? [...columns, menu] : columns}
      rows={subscribers}
      keyOf={({ id }) => id}
    />
  );
};

/** Shows the status of a subscription, and until when it lasts. */
const SubscriptionStatus = ({ subscriber }: { subscriber: Subscriber }): JSX.Element => {
  const { subscribers: says } = words.value;
  const status = statusOf(subscriber);
  const isPaused = status === 'active' && !subscriber.deliver_notifications;
  return (
    <>
      <span class={`standing ${isPaused ? 'paused' : status}`}>{isPaused ? says.paused : says.statuses[status]}</span>
      {subscriber.purge_at !== null && (
        <span class="fine">
          {' '}
          {says.purgedAt} <Moment instant={subscriber.purge_at} />
        </span>
      )}
    </>
  );
};

const SubscriberActions = ({
  subscriber,
  onAction,
}: Pick<SubscriberTableProps, 'onAction'> & { subscriber: Subscriber }): JSX.Element => {
  const { subscribers: says, common } = words.value;
  const status = statusOf(subscriber);
  const isThere = status !== 'unsubscribed';
  const names: [Action, string, boolean][] = [
    ['ask again', says.askAgain, status === 'pending'],
    ['scope', says.editScope, isThere && subscriber.incident_id === null],
    ['toggle', subscriber.deliver_notifications && status !== 'quarantined' ? says.pause : says.resume, isThere],
    ['rotate', says.rotate, isThere && subscriber.mode === 'webhook'],
    ['delete', common.remove, true],
  ];
  return (
    <Menu label={`${common.actions}: ${addressOf(subscriber)}`} icon="more">
      {names.flatMap(([action, name, isOffered]) =>
        isOffered
          ? [
              <button
                key={action}
                type="button"
                class={action === 'delete' ? 'danger' : undefined}
                onClick={() => {
                  onAction(action, subscriber);
                }}
              >
                {name}
              </button>,
            ]
          : [],
      )}
    </Menu>
  );
};

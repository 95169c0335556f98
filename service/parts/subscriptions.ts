import { randomBytes } from 'node:crypto';
import type { Handle } from '../../commands/engine/handle.ts';
import type { AskWebhook } from '../../notifiers/webhook/ask.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Read } from '../../projections/readers.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { subscriptionTasks } from '../../projections/subscription-tasks/projection.ts';
import { changeList, dueList, type TodoProjection } from '../../reactors/engine/lists.ts';
import type { Reactor } from '../../reactors/engine/loop.ts';
import { deletedPagesReactor } from '../../reactors/subscriptions/deleted-pages.ts';
import { endedIncidentsReactor } from '../../reactors/subscriptions/ended-incidents.ts';
import { purgesReactor } from '../../reactors/subscriptions/purges.ts';
import { quarantinesReactor } from '../../reactors/subscriptions/quarantines.ts';
import { webhookChallengesReactor } from '../../reactors/subscriptions/webhook-challenges.ts';
import type { Keys } from '../../stores/keys/port.ts';

export interface SubscriptionsOptions {
  handle: Handle;
  keys: Keys;
  askWebhook: AskWebhook;
  readers: Pick<Readers, 'for' | 'sure'>;
  read: Read;
  todo: (projection: AnyProjection) => TodoProjection;
  /** milliseconds since 1970 */
  clock: () => number;
}

/** What happens to subscriptions by itself. */
export const subscriptionReactors = ({
  handle,
  keys,
  askWebhook,
  readers,
  read,
  todo,
  clock,
}: SubscriptionsOptions): Reactor[] => [
  webhookChallengesReactor({
    handle,
    keys,
    ask: askWebhook,
    challenge: () => randomBytes(24).toString('base64url'),
    todo: todo(subscriptionTasks),
    list: ({ appended }) => dueList(readers.for({ appended })(subscriptionTasks).challenges),
  }),
  purgesReactor({
    handle,
    keys,
    todo: todo(subscriptionTasks),
    list: ({ appended }) => dueList(readers.for({ appended })(subscriptionTasks).purges),
  }),
  endedIncidentsReactor({
    handle,
    keys,
    // Subscriptions to an incident that is missing are removed.
    read: readers.sure,
    todo: todo(incidents),
    list: dueList(read(incidents).ended_incidents),
  }),
  quarantinesReactor({
    handle,
    clock,
    read: readers.sure,
    todo: todo(deliveries),
    list: changeList(read(deliveries).failed_deliveries),
  }),
  deletedPagesReactor({
    handle,
    keys,
    clock,
    todo: todo(subscribers),
    list: changeList(read(subscribers).deleted_pages),
    subscribersOf: (page_id, after, limit) =>
      read(subscribers).subscribers.find({
        where: { page_id, ...(after !== null && { id: { $gt: after } }) },
        sort: { id: 1 },
        limit,
      }),
  }),
];

import { randomBytes } from 'node:crypto';
import type { Handle } from '../../commands/handle.ts';
import type { AskWebhook } from '../../notifiers/webhook/ask.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { subscriptionTasks } from '../../projections/subscription-tasks/projection.ts';
import { dueList, type TodoProjection } from '../../reactors/engine/lists.ts';
import type { Reactor } from '../../reactors/engine/loop.ts';
import { purgesReactor } from '../../reactors/subscriptions/purges.ts';
import { webhookChallengesReactor } from '../../reactors/subscriptions/webhook-challenges.ts';
import type { Keys } from '../../stores/keys/port.ts';

export interface SubscriptionsOptions {
  handle: Handle;
  keys: Keys;
  askWebhook: AskWebhook;
  readers: Pick<Readers, 'for'>;
  todo: (projection: AnyProjection) => TodoProjection;
}

/** What happens to subscriptions by itself. */
export const subscriptionReactors = ({ handle, keys, askWebhook, readers, todo }: SubscriptionsOptions): Reactor[] => [
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
];

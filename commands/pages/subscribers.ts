import type { EventData } from '../../domain/event-types.ts';
import { notFound } from '../../domain/existence.ts';
import type { Sealed } from '../../domain/sealed.ts';
import * as decide from '../../domain/subscriber/decide.ts';
import type { PurgeReason } from '../../domain/subscriber/events.ts';
import {
  existing,
  subscriberDecider,
  subscriberKey,
  subscriberKeys,
  type Subscriber,
} from '../../domain/subscriber/state.ts';
import { KeyForgotten } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { randomSecret } from './sign-up.ts';

type Handling = Pick<CommandDependencies, 'handle'>;
type Sealing = Pick<CommandDependencies, 'handle' | 'keys'>;

/** Changes the topics of a subscription, and whether the subscriber gets messages. @throws NotFound */
export const changeSubscriber =
  ({ handle }: Handling) =>
  async (id: string, changes: decide.SubscriberChanges, context: CommandContext): Promise<void> => {
    const { now } = context;
    await handle(id, subscriberDecider, (known) => decide.changeSubscriber(known, changes, now), context);
  };

/** Confirms a subscription. @throws NotFound if the subscription has ended, or the address has a newer subscription */
export const verifySubscriber =
  ({ handle }: Handling) =>
  async (id: string, number: number, context: CommandContext): Promise<void> => {
    await handle(id, subscriberDecider, (known) => decide.verifySubscriber(known, number, context.now), context);
  };

/**
 * Ends a subscription on behalf of the receiver. The address is not deleted.
 *
 * @throws NotFound if the address has a newer subscription
 */
export const unsubscribe =
  ({ handle }: Handling) =>
  async (id: string, number: number, context: CommandContext): Promise<void> => {
    await handle(id, subscriberDecider, (known) => decide.unsubscribe(known, number, context.now), context);
  };

/** Removes a subscription and the key of its address. @throws NotFound */
export const deleteSubscriber =
  (dependencies: Sealing) =>
  async (id: string, context: CommandContext): Promise<void> => {
    const { state } = await dependencies.handle(
      id,
      subscriberDecider,
      (known) => decide.deleteSubscriber(known, context.now),
      context,
    );
    await forgetRemoved(dependencies, state);
  };

/**
 * Removes an expired subscription and the key of its address. Does nothing if the subscription has changed
 * concurrently.
 */
export const purgeSubscriber =
  (dependencies: Sealing) =>
  async (id: string, number: number, reason: PurgeReason, context: CommandContext): Promise<void> => {
    const { state } = await dependencies.handle(
      id,
      subscriberDecider,
      (known) => decide.purgeSubscriber(known, number, reason, context.now),
      context,
    );
    await forgetRemoved(dependencies, state);
  };

/**
 * Deletes the keys of a removed subscriber. If the process dies before it has deleted them, a reactor deletes the keys.
 */
const forgetRemoved = async (dependencies: Pick<Sealing, 'keys'>, subscriber: Subscriber): Promise<void> => {
  if (subscriber.status !== 'deleted') return;
  for (const key of subscriberKeys(subscriber)) await dependencies.keys.forget(key);
};

/** Stops sending to an unreachable address. @param reason a sentence without the address */
export const quarantineSubscriber =
  ({ handle }: Handling) =>
  async (id: string, number: number, reason: string, context: CommandContext): Promise<void> => {
    const { now } = context;
    await handle(id, subscriberDecider, (known) => decide.quarantineSubscriber(known, number, reason, now), context);
  };

/** Ends a quarantine. @throws NotFound @throws IllegalState if the subscriber is not in quarantine */
export const releaseSubscriber =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, subscriberDecider, (known) => decide.releaseSubscriber(known, context.now), context);
  };

/** Records that a webhook has failed its challenge. @param reason a sentence */
export const recordFailedChallenge =
  ({ handle }: Handling) =>
  async (id: string, number: number, reason: string, context: CommandContext): Promise<void> => {
    await handle(
      id,
      subscriberDecider,
      (known) => decide.recordFailedChallenge(known, number, reason, context.now),
      context,
    );
  };

/**
 * Replaces the secret of a webhook.
 *
 * @returns the secret
 * @throws NotFound
 * @throws IllegalState if the subscriber is not a webhook
 */
export const rotateSecret =
  ({ handle, keys }: Sealing) =>
  async (id: string, context: CommandContext): Promise<string> => {
    const { organizationId, now } = context;
    const { events } = await handle(
      id,
      subscriberDecider,
      async (known) => {
        const { number } = existing(known);
        const secret = await orNoSuch(
          keys.seal(subscriberKey(id, number), randomSecret(), { organizationId, field: 'secret' }),
        );
        return decide.rotateSecret(known, secret, now);
      },
      context,
    );
    // For a repeated command, return the secret of the first run.
    const { secret } = events[0]?.data as EventData['SubscriberSecretRotated'];
    return keys.open(secret, { organizationId, field: 'secret' });
  };

/** @throws NotFound if the subscriber was removed concurrently, together with its key */
const orNoSuch = async (sealing: Promise<Sealed>): Promise<Sealed> => {
  try {
    return await sealing;
  } catch (error) {
    if (error instanceof KeyForgotten) throw notFound('subscriber');
    throw error;
  }
};

import type { EventData } from '../../domain/catalogue.ts';
import { noSuch } from '../../domain/lifecycle.ts';
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

/** Changes what a subscription is about, and whether it delivers. @throws NotFound */
export const changeSubscriber =
  ({ handle }: Handling) =>
  async (id: string, changes: decide.SubscriberChanges, context: CommandContext): Promise<void> => {
    const { now } = context;
    await handle(id, subscriberDecider, (known) => decide.changeSubscriber(known, changes, now), context);
  };

/** Confirms a subscription. @throws NotFound it has ended, or a later one of the address has begun */
export const verifySubscriber =
  ({ handle }: Handling) =>
  async (id: string, number: number, context: CommandContext): Promise<void> => {
    await handle(id, subscriberDecider, (known) => decide.verifySubscriber(known, number, context.now), context);
  };

/** The receiver ends a subscription; its address stays known. @throws NotFound a later one of the address has begun */
export const unsubscribe =
  ({ handle }: Handling) =>
  async (id: string, number: number, context: CommandContext): Promise<void> => {
    await handle(id, subscriberDecider, (known) => decide.unsubscribe(known, number, context.now), context);
  };

/** Removes a subscription and forgets its address. @throws NotFound */
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

/** Removes a subscription whose time is up, and forgets its address; one that has changed meanwhile is left alone. */
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

/** Forgets the keys that a removed subscriber has had. A reactor does it, too, if the process dies before. */
const forgetRemoved = async (dependencies: Pick<Sealing, 'keys'>, subscriber: Subscriber): Promise<void> => {
  if (subscriber.status !== 'deleted') return;
  for (const key of subscriberKeys(subscriber)) await dependencies.keys.forget(key);
};

/** Sends nothing more to an address that can't be reached. @param reason a sentence without the address */
export const quarantineSubscriber =
  ({ handle }: Handling) =>
  async (id: string, number: number, reason: string, context: CommandContext): Promise<void> => {
    const { now } = context;
    await handle(id, subscriberDecider, (known) => decide.quarantineSubscriber(known, number, reason, now), context);
  };

/** Ends a quarantine. @throws NotFound @throws IllegalState it is in none */
export const releaseSubscriber =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, subscriberDecider, (known) => decide.releaseSubscriber(known, context.now), context);
  };

/** A webhook has failed a challenge. @param reason a sentence */
export const challengeFailed =
  ({ handle }: Handling) =>
  async (id: string, number: number, reason: string, context: CommandContext): Promise<void> => {
    await handle(id, subscriberDecider, (known) => decide.challengeFailed(known, number, reason, context.now), context);
  };

/**
 * Gives a webhook another secret.
 *
 * @returns the secret
 * @throws NotFound
 * @throws IllegalState it is no webhook
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
    // A repeated command has made its secret before.
    const { secret } = events[0]?.data as EventData['SubscriberSecretRotated'];
    return keys.open(secret, { organizationId, field: 'secret' });
  };

/** @throws NotFound the subscriber was removed meanwhile, and its key with it */
const orNoSuch = async (sealing: Promise<Sealed>): Promise<Sealed> => {
  try {
    return await sealing;
  } catch (error) {
    if (error instanceof KeyForgotten) throw noSuch('subscriber');
    throw error;
  }
};

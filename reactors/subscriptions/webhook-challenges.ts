import { randomBytes } from 'node:crypto';
import { derivedUuid } from '../../domain/identity.ts';
import { NotFound } from '../../domain/errors.ts';
import { subscriptionToChallenge } from '../../domain/subscriber/decide.ts';
import { provesChallenge, VERIFY } from '../../domain/subscriber/challenge.ts';
import { subscriberDecider } from '../../domain/subscriber/state.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { recordFailedChallenge, verifySubscriber } from '../../commands/pages/subscribers.ts';
import type { RequestWebhook } from '../../notifiers/webhook/response.ts';
import { subscriptionTasks, type ChallengeDocument } from '../../projections/subscription-tasks/projection.ts';
import { FORGOTTEN, openText, UNREADABLE } from '../../stores/keys/port.ts';
import { defineReactor } from '../engine/define.ts';
import type { DueContext } from '../engine/due.ts';
import { done, type ItemResult } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

const WEBHOOK_CHALLENGES = 'webhook-challenges';

/** Number of concurrent challenges. Each challenge takes at most ten seconds. */
const AT_ONCE = 16;
/**
 * Maximum number of concurrent challenges of one organization, so that its slow endpoints do not take the slots of
 * other organizations.
 */
const AT_ONCE_OF_ONE = 4;
/** A challenge is due an hour after the previous one, so a later due time was set by a wrong clock. */
const LONGEST_MS = 3_600_000;

/**
 * Asks new webhook subscribers to confirm that they want the messages of a page: immediately, and then every hour for a
 * day. This prevents people from subscribing an endpoint that is not theirs.
 */
export const webhookChallenges = defineReactor({
  name: WEBHOOK_CHALLENGES,
  does: 'asks new webhook subscribers to confirm that they want the messages of a page',
  countsEarlier: true,
  list: due(subscriptionTasks, 'challenges', {
    atOnce: AT_ONCE,
    targets: { of: ({ organization_id }) => organization_id, atOnce: AT_ONCE_OF_ONE },
    longest: LONGEST_MS,
  }),
  act: (item, { handle, keys, askWebhook: ask, ...due }) =>
    challengeWebhook({ handle, keys, ask, challenge: unguessable })(item, due),
});

const unguessable = (): string => randomBytes(24).toString('base64url');

interface Challenging extends Pick<CommandDependencies, 'handle' | 'keys'> {
  ask: RequestWebhook;
  /** generates an unguessable text */
  challenge: () => string;
}

/**
 * Sends a challenge, and stores the outcome. After a crash, the challenge may be sent twice, but only one outcome is
 * stored.
 */
export const challengeWebhook =
  ({ handle, keys, ask, challenge }: Challenging) =>
  async (
    item: ChallengeDocument,
    { now, appended, signal }: Pick<DueContext, 'now' | 'appended' | 'signal'>,
  ): Promise<ItemResult> => {
    const { id, number, organization_id: organizationId } = item;
    const subscriber = subscriptionToChallenge(await handle.load(id, subscriberDecider, { organizationId }), number);
    // The subscription has ended, but the list does not show that yet. The event that ended it removes the item.
    if (!subscriber) return done();
    const url = await openText(subscriber.address, { organizationId, field: 'address' }, keys);
    const secret = subscriber.secret && (await openText(subscriber.secret, { organizationId, field: 'secret' }, keys));
    const commandId = derivedUuid(`${WEBHOOK_CHALLENGES}/${id}/${item.changed_position}`);
    const context = reactorContext(WEBHOOK_CHALLENGES, { organizationId, commandId, now, appended });
    const failed = async (reason: string): Promise<ItemResult> => {
      await recordFailedChallenge({ handle })(id, number, reason, context);
      return done();
    };
    if ([url, secret].some((text) => text === FORGOTTEN || text === UNREADABLE)) {
      return failed('Its URL can no longer be read.');
    }
    const asked = challenge();
    const message = { id: commandId, event: VERIFY, subject: '', text: '', data: { challenge: asked } };
    const { outcome, body } = await ask(message, { url, ...(secret !== null && { secret }) }, { signal });
    if (outcome.status !== 'delivered') return failed(outcome.error_message);
    if (!provesChallenge(body, asked)) return failed('Its response does not repeat the challenge.');
    await verifySubscriber({ handle })(id, number, context).catch((error: unknown) => {
      // The subscriber was removed meanwhile.
      if (!(error instanceof NotFound)) throw error;
    });
    return done();
  };

import { DIGEST } from '../../domain/delivery/events.ts';
import { MOST_LISTED } from '../../messages/alert/digest.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { alertOfCause } from './alert.ts';
import { alertTold, digestMessage, findReceiver, organizationName } from './alert-message.ts';
import type { CauseContext, CauseKind } from './cause.ts';

/** The words of a message that stands for several about alerts. */
export const alertDigest = (context: CauseContext): Pick<CauseKind, 'kind' | 'compose'> => ({
  kind: DIGEST,
  compose: async ({ id, organization_id, receiver_id, notifier }) => {
    const { read, publicUrl } = context;
    const [digest, receiver] = await Promise.all([
      read(deliveries).digests.get(id),
      findReceiver(receiver_id, organization_id, context),
    ]);
    if (!digest || receiver?.notifier !== notifier) return null;
    const organization = await organizationName(organization_id, context);
    const listed = await read(deliveries).deliveries.getMany(digest.delivery_ids.slice(0, MOST_LISTED));
    const told = await Promise.all(
      listed
        .sort((one, other) => one.planned_position - other.planned_position)
        .map(async ({ cause }) => {
          const found = await alertOfCause(cause, context);
          return found && alertTold(found.alert, found.event, organization, context);
        }),
    );
    const message = digestMessage(notifier, {
      organization,
      told: told.filter((one) => one !== null),
      total: digest.delivery_ids.length,
      url: publicUrl === null ? null : `${publicUrl}/v1/alerts?status=active`,
    });
    return { settings: receiver.settings, message };
  },
});

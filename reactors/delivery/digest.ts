import { DIGEST } from '../../domain/delivery/events.ts';
import { alertEntry, heartbeatEntry, MOST_LISTED, type DigestEntry } from '../../messages/digest.ts';
import { ALERT_CAUSE } from '../../projections/alerts/documents.ts';
import { deliveries, type DeliveryDocument } from '../../projections/deliveries/projection.ts';
import { HEARTBEAT_CAUSE, heartbeats } from '../../projections/heartbeats/projection.ts';
import { findAlertOfCause, firingCauseOf } from './alert.ts';
import { alertContent, digestMessage, findReceiver, organizationName } from './alert-message.ts';
import { wasBeginningMissed } from './notified-receivers.ts';
import type { CauseContext, Composed, DigestKind, DeliveryToCompose } from './cause.ts';
import { downCauseOf, heartbeatContent } from './heartbeat.ts';

/** Composes digests. A digest can replace messages of several kinds. */
export const digest: DigestKind = {
  kind: DIGEST,
  bind: (context) => ({ compose: (delivery) => composeDigest(delivery, context) }),
};

const composeDigest = async (
  { id, organization_id, receiver_id, notifier }: DeliveryToCompose,
  context: CauseContext,
): Promise<Composed | null> => {
  const { read, publicUrl } = context;
  const [known, receiver] = await Promise.all([
    read(deliveries).digests.get(id),
    findReceiver(receiver_id, organization_id, context),
  ]);
  if (!known || receiver?.notifier !== notifier) return null;
  const organization = await organizationName(organization_id, context);
  const listed = await read(deliveries).deliveries.getMany(known.delivery_ids.slice(0, MOST_LISTED));
  const contents = await Promise.all(
    listed
      .sort((one, other) => one.planned_position - other.planned_position)
      .map((delivery) => digested(delivery, organization, context)),
  );
  const message = digestMessage(notifier, {
    organization,
    entries: contents.filter((one) => one !== null),
    total: known.delivery_ids.length,
    url: publicUrl === null ? null : `${publicUrl}/console/alerts`,
  });
  return { settings: receiver.settings, message };
};

/** Returns the entry for one message in a digest. Null if there is nothing to report any more. */
const digested = async (
  { cause, receiver_id }: Pick<DeliveryDocument, 'cause' | 'receiver_id'>,
  organization: string,
  context: CauseContext,
): Promise<DigestEntry | null> => {
  switch (cause.kind) {
    case ALERT_CAUSE: {
      if (await wasBeginningMissed(firingCauseOf(cause), receiver_id, context)) return null;
      const found = await findAlertOfCause(cause, context);
      const contents = found && alertContent(found.alert, found.event, organization, context);
      return contents && alertEntry(contents);
    }
    case HEARTBEAT_CAUSE: {
      const notice = await context.read(heartbeats).heartbeat_notices.get(cause.id);
      if (!notice || (await wasBeginningMissed(downCauseOf(notice), receiver_id, context))) return null;
      return heartbeatEntry(heartbeatContent(notice, organization));
    }
    default:
      return null;
  }
};

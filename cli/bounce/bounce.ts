import type { Handle } from '../../commands/engine/handle.ts';
import { commandContext, derivedUuid } from '../../commands/engine/context.ts';
import { quarantineSubscriber } from '../../commands/pages/subscribers.ts';
import { deliveryOfBounceAddress } from '../../domain/mail/bounce-address.ts';
import { recipientsIn, statusNotificationIn } from '../../domain/mail/delivery-status.ts';
import type { Mac } from '../../domain/signed-token.ts';
import { systemActor } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import type { Read } from '../../projections/readers.ts';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { openKeys, siteOf, withCommands } from '../../service/stores.ts';
import { openConfiguredReadModels } from '../read-models.ts';

/** Name of the actor of events that bounces cause. */
const BOUNCE = 'bounce';

export interface BounceOptions {
  /** the message, or its beginning */
  message: string;
  /** recipients of the message, as reported by the mail server; they are tried before the recipients in the headers */
  recipients: readonly string[];
}

/**
 * `uptrail bounce`: reads a message that was received at a bounce address. If the message reports that a subscriber's
 * address is permanently undeliverable, nothing more is sent to this subscriber. Everything else is ignored, because
 * anybody can send mail to a bounce address.
 */
export const runBounce = async (config: Config, options: BounceOptions, output: Output): Promise<void> => {
  const keys = await openKeys(siteOf(config), config);
  try {
    const { read, close } = await openConfiguredReadModels(config);
    try {
      const mac: Mac = keys.fingerprint.bind(keys);
      await output.line(await withCommands(config, ({ handle }) => readBounce({ mac, read, handle }, options)));
    } finally {
      await close();
    }
  } finally {
    await keys.close();
  }
};

export interface BounceDependencies {
  mac: Mac;
  read: Read;
  handle: Handle;
  /** milliseconds since 1970 */
  clock?: () => number;
}

/** Handles a bounce message. @returns the outcome, as a sentence */
export const readBounce = async (
  { mac, read, handle, clock = Date.now }: BounceDependencies,
  { message, recipients }: BounceOptions,
): Promise<string> => {
  const deliveryId = await firstDelivery([...recipients, ...recipientsIn(message)], mac);
  if (deliveryId === null) return 'Ignored: the recipient is not a bounce address of this service.';
  const report = statusNotificationIn(message);
  if (!report) return `Ignored: the message is not a delivery status notification (delivery ${deliveryId}).`;
  const reason = report.codes === '' ? 'without a status code' : `with ${report.codes}`;
  if (report.bounce === 'none') return `Ignored: the message reports no failure (delivery ${deliveryId}).`;
  if (report.bounce === 'soft')
    return `Ignored: delivery ${deliveryId} failed ${reason}, but not because of its address.`;

  const [delivery] = await read(deliveries).deliveries.getMany([deliveryId]);
  if (!delivery) return `Ignored: the delivery ${deliveryId} no longer exists.`;
  const [subscriber] = await read(subscribers).subscribers.getMany([delivery.receiver_id]);
  if (!subscriber || subscriber.organization_id !== delivery.organization_id || subscriber.mode !== 'email') {
    return `Ignored: the recipient of delivery ${deliveryId} is not an e-mail subscriber.`;
  }
  if (subscriber.status !== 'active') return `Nothing to do: subscriber ${subscriber.id} is ${subscriber.status}.`;
  // A report can arrive days late. If the subscriber has confirmed the address again since the message was sent, ignore
  // the report.
  const { id, number, verified_at, organization_id: organizationId } = subscriber;
  if (verified_at !== null && verified_at > delivery.created_at) {
    return `Ignored: subscriber ${id} was confirmed after delivery ${deliveryId}.`;
  }
  const commandId = derivedUuid(`${BOUNCE}/${deliveryId}`);
  await quarantineSubscriber({ handle })(
    id,
    number,
    `Mail to its address bounced ${reason}.`,
    commandContext({
      actor: systemActor(BOUNCE),
      organizationId,
      correlationId: commandId,
      commandId,
      repeatable: true,
      now: instantOf(clock()),
    }),
  );
  return `Subscriber ${id} gets no more mail: delivery ${deliveryId} bounced ${reason}.`;
};

const firstDelivery = async (addresses: readonly string[], mac: Mac): Promise<string | null> => {
  for (const address of addresses) {
    const deliveryId = await deliveryOfBounceAddress(address, mac);
    if (deliveryId !== null) return deliveryId;
  }
  return null;
};

import { fireAlert, resolveAlertBecause } from '../../commands/alerts/alerts.ts';
import type { AlertFiring } from '../../domain/alert/decide.ts';
import { alertIdOfFiring } from '../../domain/alert/decide.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { instantOf } from '../../domain/time.ts';
import type { EventOf } from '../../domain/event-types.ts';
import { firing } from '../domain/alert/examples.ts';
import type { Service } from './service.ts';

let count = 0;

const contextOf = ({ time }: Service, organizationId: string) =>
  reactorContext('test', {
    organizationId,
    commandId: derivedUuid(`alerts ${count++}`),
    now: instantOf(time.now),
  });

/**
 * Stores a fired alert of a new rule, as the reactor does, and waits until the read model shows it.
 *
 * @returns the id of the alert
 */
export const storeFiredAlert = async (
  service: Service,
  organizationId: string,
  changes: Partial<AlertFiring> = {},
): Promise<string> => {
  const rule_id = derivedId(`rule ${count++}`);
  const about = firing(1, { organization_id: organizationId, rule_id, ...changes });
  const context = contextOf(service, organizationId);
  await service.commands.bind(fireAlert)(about, context);
  await service.readers.waitFor(['alerts'], context);
  return alertIdOfFiring(about);
};

/** Stores the automatic resolution of an alert and waits until the read model shows it. */
export const resolveAutomatically = async (
  service: Service,
  organizationId: string,
  alertId: string,
): Promise<void> => {
  const context = contextOf(service, organizationId);
  await service.commands.bind(resolveAlertBecause)(alertId, 'condition', context);
  await service.readers.waitFor(['alerts'], context);
};

/** Stores outcomes of messages, as the delivery reactors do, and waits until the read model shows them. */
export const storeDeliveries = async (
  service: Service,
  ...facts: EventOf<'DeliveriesPlanned' | 'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryGivenUp'>[]
): Promise<void> => {
  for (const fact of facts) {
    const event = systemEvent(fact, {
      id: derivedUuid(`delivery ${count++}`),
      by: 'test',
      organizationId: service.first.id,
      now: instantOf(service.time.now),
    });
    const { position } = await service.stores.results.append('deliveries-0', [event], 'any');
    await service.readers.waitFor(['deliveries'], { appended: new Map([['results', position]]) });
  }
};

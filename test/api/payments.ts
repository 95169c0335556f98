import { randomUUID } from 'node:crypto';
import type { EventData } from '../../domain/event-types.ts';
import { derivedId } from '../../domain/identity.ts';
import { plansOf } from '../../domain/organization/plans.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { FREE, ordered, TEAM } from '../payments.ts';
import type { Service } from './service.ts';

/** Plans that a test orders one after another: `plan-0`, `plan-1`, … */
export const MANY_PLANS = plansOf(
  [FREE, ...Array.from({ length: 100 }, (_, index) => ({ ...TEAM, id: `plan-${index}` }))],
  FREE.id,
);

/** Stores a pending payment of an organization. */
export const storePayment = async (
  service: Pick<Service, 'stores' | 'readers'>,
  organization_id: string,
  changes: Partial<EventData['PaymentCreated']> = {},
): Promise<string> => {
  const id = derivedId(randomUUID());
  const { type, data } = ordered({ payment_id: id, organization_id, ...changes });
  const event = systemEvent(
    { type, data },
    { id: randomUUID(), by: 'test', organizationId: organization_id, now: data.created_at },
  );
  const { position } = await service.stores.main.append(`payment-${id}`, [event], 'no_stream');
  await service.readers.waitFor(['payments'], { appended: new Map([['main', position]]) });
  return id;
};

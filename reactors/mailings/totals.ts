import { derivedUuid } from '../../domain/identity.ts';
import { endMailing, mailingDecider } from '../../domain/mailing/mailing.ts';
import { instantOf } from '../../domain/time.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { MAILING_CAUSE } from '../../projections/mailings/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { changed } from '../engine/list-declarations.ts';

export const MAILING_TOTALS = 'mailing-totals';

/**
 * Records the totals of each mailing in the main log, from which retention removes nothing. Mailings from before the
 * reactor was first active are included.
 */
export const mailingTotals = defineReactor({
  name: MAILING_TOTALS,
  does: 'records the delivery totals of mailings',
  countsEarlier: true,
  list: changed(deliveries, 'cause_totals'),
  act: async ({ cause, ...item }, { handle, clock, mailingEnded }) => {
    const { organization_id: organizationId, planned, delivered, failed, begun_at, ended_at } = item;
    // Skip mailings with a message that has not ended, and mailings without receivers.
    if (cause.kind !== MAILING_CAUSE || ended_at === null || planned === 0) return done();
    const totals = { planned, delivered, failed, begun_at, ended_at };
    const commandId = derivedUuid(`${MAILING_TOTALS}/${cause.id}/${ended_at}`);
    const context = reactorContext(MAILING_TOTALS, { organizationId, commandId, now: instantOf(clock()) });
    await handle(cause.id, mailingDecider, (mailing) => endMailing(mailing, cause.id, totals), context);
    mailingEnded?.(totals);
    return done();
  },
});

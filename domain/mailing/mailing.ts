import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../decider.ts';
import type { MailingEvent, MailingTotals } from './events.ts';

/** The totals of a mailing when it most recently ended; null if the mailing has not ended yet. */
export interface Mailing {
  totals: MailingTotals | null;
}

export const mailingDecider: Decider<Mailing, MailingEvent> = {
  category: 'mailing',
  initialState: { totals: null },
  evolve: (_, { data: { planned, delivered, failed, begun_at, ended_at } }) => ({
    totals: { planned, delivered, failed, begun_at, ended_at },
  }),
};

/** Records the totals of a mailing. Returns no event if the same totals are already recorded. */
export const endMailing = (mailing: Mailing, mailing_id: string, totals: MailingTotals): MailingEvent[] =>
  isDeepStrictEqual(mailing.totals, totals) ? [] : [{ type: 'MailingEnded', data: { mailing_id, ...totals } }];

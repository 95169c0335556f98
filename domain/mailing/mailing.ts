import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../decider.ts';
import type { MailingEvent, MailingTotals } from './events.ts';

/** What a mailing came to when it last ended; null: it has not ended yet. */
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

/** Records what a mailing came to. There is nothing to do where that is known. */
export const endMailing = (mailing: Mailing, mailing_id: string, totals: MailingTotals): MailingEvent[] =>
  isDeepStrictEqual(mailing.totals, totals) ? [] : [{ type: 'MailingEnded', data: { mailing_id, ...totals } }];

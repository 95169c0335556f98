import { Type } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const amount = Type.Integer({ minimum: 0 });

/** Events of what subscribers were told of one cause, in `mailing-{id of the event that caused it}`. */
export const mailingEvents = {
  /**
   * No message of it waits any more. The messages themselves stand in the results log, which forgets them. It comes
   * again where a message that had failed was tried again by a person.
   */
  MailingEnded: {
    version: 1,
    data: Type.Object({
      mailing_id: Type.String(),
      /** messages, one a subscriber; the sum of the other two */
      planned: amount,
      delivered: amount,
      failed: amount,
      /** when the first was planned */
      begun_at: InstantSchema,
      /** when the last was delivered, or failed */
      ended_at: InstantSchema,
    }),
  },
} as const satisfies EventDefinitions;

export type MailingEvent = EventsOf<typeof mailingEvents>;
export type MailingTotals = Omit<MailingEvent['data'], 'mailing_id'>;

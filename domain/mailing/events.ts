import { Type } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const amount = Type.Integer({ minimum: 0 });

/** Events of the messages to subscribers about one cause, in `mailing-{id of the event that caused it}`. */
export const mailingEvents = {
  /**
   * All of its messages have ended. Retention removes the messages themselves from the results log. The event is repeated
   * if a person restarts a failed message.
   */
  MailingEnded: {
    version: 1,
    data: Type.Object({
      mailing_id: Type.String(),
      /** number of messages, one per subscriber; the sum of `delivered` and `failed` */
      planned: amount,
      delivered: amount,
      failed: amount,
      /** when the first was planned */
      begun_at: InstantSchema,
      /** when the last was delivered or failed */
      ended_at: InstantSchema,
    }),
  },
} as const satisfies EventDefinitions;

export type MailingEvent = EventsOf<typeof mailingEvents>;
export type MailingTotals = Omit<MailingEvent['data'], 'mailing_id'>;

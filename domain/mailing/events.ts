import { Type } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const amount = Type.Integer({ minimum: 0 });

/**
 * Events of mailings. A mailing is all messages to subscribers about one event, such as a new incident. Its stream is
 * `mailing-{id}`, with the id of that event.
 */
export const mailingEvents = {
  /**
   * All messages of the mailing have ended. This event preserves the totals, because retention removes the messages
   * from the results log. If a person restarts a failed message, the event is appended again after that message has
   * ended.
   */
  MailingEnded: {
    version: 1,
    data: Type.Object({
      mailing_id: Type.String(),
      /** number of messages, one per subscriber; the sum of `delivered` and `failed` */
      planned: amount,
      delivered: amount,
      failed: amount,
      /** when the first message was planned */
      begun_at: InstantSchema,
      /** when the final message was delivered or failed permanently */
      ended_at: InstantSchema,
    }),
  },
} as const satisfies EventDefinitions;

export type MailingEvent = EventsOf<typeof mailingEvents>;
export type MailingTotals = Omit<MailingEvent['data'], 'mailing_id'>;

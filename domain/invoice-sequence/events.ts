import { Type } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';

/** Events of the invoice sequence of a UTC year, in `invoice_sequence-{year}`. */
export const invoiceSequenceEvents = {
  /** Numbers count from 1 without gaps, across all organizations. */
  InvoiceNumberAssigned: {
    version: 1,
    data: Type.Object({
      year: Type.Integer(),
      number: Type.Integer({ minimum: 1 }),
      payment_id: Type.String(),
      organization_id: Type.String(),
    }),
  },
} as const satisfies EventDefinitions;

export type InvoiceSequenceEvent = EventsOf<typeof invoiceSequenceEvents>;

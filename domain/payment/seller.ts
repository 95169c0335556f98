import { Type, type Static } from '@sinclair/typebox';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

/** Who writes invoices: the operator of this service. Texts may have several lines. */
export const Seller = Type.Object({
  name: Type.String(),
  address: TextOrNull,
  tax_id: TextOrNull,
  email: TextOrNull,
  /** how to pay, such as a bank account */
  payment_details: TextOrNull,
  /** what invoices have to say besides, such as how they are taxed */
  note: TextOrNull,
});
export type Seller = Static<typeof Seller>;

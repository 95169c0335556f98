import { Type, type Static } from '@sinclair/typebox';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

/** The issuer of invoices: the operator of this service. Texts may have several lines. */
export const Seller = Type.Object({
  name: Type.String(),
  address: TextOrNull,
  tax_id: TextOrNull,
  email: TextOrNull,
  /** how to pay, for example a bank account */
  payment_details: TextOrNull,
  /** additional text on invoices, for example about taxes */
  note: TextOrNull,
});
export type Seller = Static<typeof Seller>;

import { Type, type Static } from '@sinclair/typebox';
import { shownMoney } from '../../../domain/money.ts';
import { invoicePath } from '../../../domain/payment/invoice-link.ts';
import type { PaymentDocument } from '../../../projections/payments/documents.ts';
import { createPresenter } from '../../presenter.ts';
import type { ApiSurface } from '../../route.ts';
import { choice, Id, InstantOut, namedSchema, nullable } from '../../schema.ts';
import { linkExpiry } from '../artifacts/link.ts';
import { Money } from '../organizations/plan-schema.ts';

/** See docs/reference/plans.md#payment-fields. */
export const Payment = namedSchema(
  'Payment',
  Type.Object({
    id: Id,
    organization_id: Id,
    status: choice(['pending', 'succeeded', 'canceled']),
    amount: Money,
    description: Type.String(),
    plan_id: Type.String({ examples: ['team'] }),
    period_months: nullable(
      Type.Integer({ description: "Null if the plan's duration is not a whole number of months." }),
    ),
    method: Type.String({ examples: ['invoice'] }),
    confirmation_url: nullable(
      Type.String({
        description:
          'Link to the invoice (PDF), which works without a key for at least 15 minutes. Null until the invoice has a number.',
      }),
    ),
    invoice_number: nullable(Type.String({ examples: ['2026-000001'] })),
    paid_at: nullable(InstantOut),
    canceled_at: nullable(InstantOut),
    created_at: InstantOut,
  }),
);
export type Payment = Static<typeof Payment>;

export const NewPayment = Type.Object(
  {
    plan_id: Type.String({ minLength: 1, maxLength: 100 }),
    period_months: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          description: "A multiple of the plan's period. Default: the period that its price covers.",
        }),
      ),
    ),
  },
  { title: 'NewPayment' },
);

const pick = createPresenter(Payment, ['amount', 'plan_id', 'confirmation_url', 'invoice_number']);

/** Converts a payment to its form in responses. */
export const presentPayment = async (
  payment: PaymentDocument,
  { scope, addressOf, mac }: Pick<ApiSurface['given'], 'scope' | 'addressOf' | 'mac'>,
): Promise<Payment> => {
  const { id, organization_id: organizationId, invoice } = payment;
  const until = linkExpiry(scope.now);
  return pick(payment, {
    amount: shownMoney(payment.amount),
    plan_id: payment.plan.id,
    confirmation_url: invoice && addressOf(await invoicePath({ id, organizationId, until }, mac)),
    invoice_number: invoice?.number ?? null,
  });
};

import type { DeliveryReceiver } from '../../domain/delivery/decide.ts';
import { includesRole, isRole } from '../../domain/organization/roles.ts';
import { moneyText } from '../../domain/money.ts';
import { invoicePath } from '../../domain/payment/invoice-link.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { instantOf } from '../../domain/time.ts';
import { paymentMail, type PaymentFacts } from '../../messages/invoice/mail.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { PaymentNoticeDocument } from '../../projections/payments/documents.ts';
import { PAYMENT_CAUSE, payments } from '../../projections/payments/projection.ts';
import { readableText } from '../../stores/keys/port.ts';
import { causesIn, type CauseContext, type CauseKind, type CauseHandlers } from './cause.ts';

/** How long the link to an invoice in an e-mail stays valid, milliseconds. */
const OPENS_FOR_MS = 30 * 86_400_000;

/** A recipient, with the sealed address and the name of the field to which the address is bound. */
interface Addressee {
  id: string;
  sealed: Sealed;
  field: string;
}

/**
 * Notifies an organization of its invoices, and of a subscription that is not renewed. Messages go to the invoice
 * e-mail address. If the organization has no invoice e-mail address, they go to all users who are allowed to manage
 * payments.
 */
export const payment: CauseKind<PaymentNoticeDocument> = {
  kind: PAYMENT_CAUSE,
  list: causesIn(payments, 'payment_notices'),
  countsEarlier: true,
  bind: (context) => createPaymentHandlers(context),
};

const createPaymentHandlers = (context: CauseContext): CauseHandlers<PaymentNoticeDocument> => {
  const { read, keys } = context;

  const addressees = async (organizationId: string, causeId: string): Promise<Addressee[]> => {
    const organization = await read(organizations).organizations.get(organizationId);
    const email = organization?.invoice_details.email ?? null;
    if (email !== null) return [{ id: `${causeId}/invoices`, sealed: email, field: 'invoice_details.email' }];
    const users = await read(organizations).users.find({
      where: { organization_id: organizationId, status: 'active' },
    });
    return users
      .filter(({ role }) => isRole(role) && includesRole(role, 'billing'))
      .map((user) => ({ id: `${causeId}/${user.id}`, sealed: user.email, field: 'email' }))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  };

  return {
    receivers: async ({ id, organization_id }, after, limit) => {
      if (!context.mails) return [];
      // All e-mails share one target, because they go to the same relay, whose notifier has its own rate limit.
      const target = await keys.fingerprint('delivery target', 'payments by e-mail');
      const all = (await addressees(organization_id, id)).map((one): DeliveryReceiver => {
        return { id: one.id, notifier: 'email', target };
      });
      return all.filter((receiver) => after === null || receiver.id > after).slice(0, limit);
    },
    compose: async ({ cause, organization_id: organizationId, receiver_id }) => {
      const notice = await read(payments).payment_notices.get(cause.id);
      const receiver = (await addressees(organizationId, cause.id)).find(({ id }) => id === receiver_id);
      const organization = await read(organizations).organizations.get(organizationId);
      if (!notice || !receiver || !organization) return null;
      const address = await readableText(receiver.sealed, { organizationId, field: receiver.field }, keys);
      const content = await contentOf(notice, context);
      if (address === undefined || !content) return null;
      const { subject, text, html } = paymentMail(content, organization.name);
      return {
        settings: { address },
        message: {
          event: content.what === 'invoice' ? 'payment.invoiced' : 'subscription.not_renewed',
          subject,
          text,
          data: {},
          mail: {
            html,
            thread: null,
            sender: {
              name: content.what === 'invoice' ? content.seller : organization.name,
              from: null,
              replyTo: null,
            },
            unsubscribeUrl: null,
          },
        },
      };
    },
  };
};

/** Returns the present content of a message. Null if there is nothing to report, because the payment was canceled. */
const contentOf = async (
  { id, organization_id: organizationId, not_renewed }: PaymentNoticeDocument,
  { read, keys, publicUrl, clock }: CauseContext,
): Promise<PaymentFacts | null> => {
  if (not_renewed) return { what: 'not_renewed', plan: not_renewed.plan_name, end: not_renewed.end_date };
  const document = await read(payments).payments.get(id);
  if (!document?.invoice || document.status === 'canceled') return null;
  const until = instantOf(clock() + OPENS_FOR_MS);
  const path = await invoicePath({ id, organizationId, until }, (kind, text) => keys.fingerprint(kind, text));
  return {
    what: 'invoice',
    seller: document.invoice.seller.name,
    number: document.invoice.number,
    description: document.description,
    amount: moneyText(document.amount),
    continues: document.renewal?.end_date ?? null,
    paid: document.status === 'succeeded',
    link: publicUrl === null ? null : { url: `${publicUrl}${path}`, until },
  };
};

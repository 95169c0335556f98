import { Forbidden } from '../domain/errors.ts';
import { shownMoney } from '../domain/money.ts';
import { DAY_MS, type Instant, instantOf, millisecondsOf } from '../domain/time.ts';
import type { InvoiceContent } from '../domain/payment/invoice-content.ts';
import type { SubscriptionDocument } from '../projections/organizations/documents.ts';
import { organizations } from '../projections/organizations/projection.ts';
import type { PaymentDocument } from '../projections/payments/documents.ts';
import { payments } from '../projections/payments/projection.ts';
import { openText } from '../stores/keys/port.ts';
import { endOf, startsAfter, subscriptionOf } from '../domain/organization/subscriptions.ts';
import { findOrganization } from './organizations/organizations.ts';
import { ownDocuments } from './engine/own-documents.ts';
import type { ReadScope, Scope } from './engine/scope.ts';

/**
 * Maximum number of payments that an organization can order within 24 hours. Without a limit, an organization could use
 * up invoice numbers by ordering and canceling.
 */
const MOST_ORDERS = 20;

const own = ownDocuments((read) => read(payments).payments, 'payment', { sort: { created_at: -1 }, filters: {} });

/** @throws NotFound */
export const findPayment = own.one;

/** The payments of the organization, newest first. */
export const listPayments = own.list;

/** @throws Forbidden if the organization has ordered too many payments in the last 24 hours */
export const requireFewOrders = async ({ read, organizationId, now }: ReadScope & { now: Instant }): Promise<void> => {
  const since = instantOf(millisecondsOf(now) - DAY_MS);
  const where = { organization_id: organizationId, created_at: { $gt: since } };
  if ((await read(payments).payments.count(where)) < MOST_ORDERS) return;
  throw new Forbidden(`An organization can order ${MOST_ORDERS} payments in 24 hours. Order again later.`);
};

/**
 * Lists the subscriptions of an organization, newest first. Paid subscriptions that have not started come first.
 *
 * @throws NotFound if `id` is not the scope's organization
 */
export const listSubscriptions = async (
  scope: ReadScope & { now: Instant },
  id: string,
): Promise<SubscriptionDocument[]> => {
  const { subscription_id } = await findOrganization(scope, id);
  const { subscriptions } = scope.read(organizations);
  const begun = await subscriptions.find({ where: { organization_id: id }, sort: { created_at: -1 } });
  const current = begun.find((one) => one.id === subscription_id);
  return current ? [...(await followingOf(scope, current)), ...begun] : begun;
};

/**
 * Returns the paid subscriptions that follow the current one. Each begins at the end of the one before it in time. The
 * list begins with the latest.
 */
const followingOf = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  current: SubscriptionDocument,
): Promise<SubscriptionDocument[]> => {
  const { organization_id } = current;
  const { standings, payments: all } = read(payments);
  const waiting = await all.getMany([...((await standings.get(organization_id))?.following ?? [])]);
  let before = { plan: current.plan, endDate: current.end_date };
  const following: SubscriptionDocument[] = [];
  for (const { id, plan, days, paid_at } of waiting) {
    if (paid_at === null || !startsAfter(before, plan, now)) continue;
    const [start_date, end_date] = [before.endDate, endOf(before.endDate, days)];
    const own = { id: subscriptionOf(id), organization_id, plan, start_date, end_date };
    following.unshift({ ...own, ended_at: null, created_at: paid_at });
    before = { plan, endDate: end_date };
  }
  return following;
};

/** Returns the content of a payment's invoice, or null if the invoice has no number yet. */
export const readInvoice = async (payment: PaymentDocument, keys: Scope['keys']): Promise<InvoiceContent | null> => {
  const { id, organization_id: organizationId, customer, invoice, description, amount } = payment;
  if (!invoice) return null;
  const opened = async (name: keyof typeof customer.invoice_details): Promise<string | null> => {
    const sealed = customer.invoice_details[name];
    return sealed && openText(sealed, { organizationId, field: `invoice_details.${name}` }, keys);
  };
  return {
    number: invoice.number,
    invoiced_at: invoice.invoiced_at,
    seller: invoice.seller,
    customer: {
      name: (await opened('legal_name')) ?? customer.name,
      address: await opened('address'),
      tax_id: await opened('tax_id'),
      email: await opened('email'),
    },
    description,
    amount: shownMoney(amount),
    paid_at: payment.paid_at,
    canceled_at: payment.canceled_at,
    payment_id: id,
  };
};

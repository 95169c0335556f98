import type { RecordedEventOf } from '../../domain/event-types.ts';
import { derivedId } from '../../domain/identity.ts';
import { before } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import type {
  PaymentDocument,
  PaymentNoticeDocument,
  PaymentTaskDocument,
  SubscriptionStateDocument,
  SubscriptionTaskDocument,
} from './documents.ts';

/** The kind of cause that {@link PaymentNoticeDocument} represents (reactors/delivery/). */
export const PAYMENT_CAUSE = 'payment';

/** A subscription is renewed this time before its end, in milliseconds. */
const RENEWED_BEFORE_MS = 7 * 86_400_000;

interface Models {
  payments: Model<PaymentDocument>;
  payment_beginnings: Model<PaymentTaskDocument>;
  paid_plans: Model<PaymentTaskDocument>;
  payment_notices: Model<PaymentNoticeDocument>;
  standings: Model<SubscriptionStateDocument>;
  subscription_ends: Model<SubscriptionTaskDocument>;
  renewals: Model<SubscriptionTaskDocument>;
}

const DUE = [{ due_at: 1 }, { changed_position: 1 }] as const;

const notRenewedId = ({ subscription_id, end_date }: RecordedEventOf<'SubscriptionNotRenewed'>['data']): string =>
  derivedId(`${subscription_id} was not renewed on ${end_date}`);

const standingOf = ({ standings }: Pick<Models, 'standings'>, id: string): SubscriptionStateDocument =>
  standings.get(id) ?? { id, auto_renew: false, subscription: null, renewed: false, following: [] };

/** Updates the renewal task of a subscription after its state has changed. */
const placeRenewal = (
  { standings, renewals }: Pick<Models, 'standings' | 'renewals'>,
  state: SubscriptionStateDocument,
  position: bigint,
): void => {
  standings.put(state);
  const { id, auto_renew, subscription, renewed, following } = state;
  // A renewal is ordered only if it is wanted, was not ordered already, and no other paid plan starts when the
  // subscription ends.
  if (!auto_renew || !subscription || renewed || following.length > 0) {
    renewals.delete(id);
    return;
  }
  renewals.put(taskOf(id, subscription, before(subscription.end_date, RENEWED_BEFORE_MS), position));
};

const taskOf = (
  id: string,
  { id: subscription_id, plan, end_date }: NonNullable<SubscriptionStateDocument['subscription']>,
  due_at: string,
  position: bigint,
): SubscriptionTaskDocument => ({
  id,
  organization_id: id,
  subscription_id,
  plan,
  end_date,
  due_at,
  changed_position: Number(position),
});

/** Folds the start of a subscription, or its extension to a new end. */
const startsUntil = (
  event: RecordedEventOf<'SubscriptionStarted' | 'SubscriptionExtended'>,
  models: Models,
  subscription: NonNullable<SubscriptionStateDocument['subscription']>,
): void => {
  const { organization_id, payment_id } = event.data;
  if (payment_id !== null) models.paid_plans.delete(payment_id);
  const state = standingOf(models, organization_id);
  const following = state.following.filter((id) => id !== payment_id);
  placeRenewal(models, { ...state, subscription, renewed: false, following }, event.position);
  models.subscription_ends.put(taskOf(organization_id, subscription, subscription.end_date, event.position));
};

/** Adds a notice for the organization, which is the cause of one message. */
const addNotice = (
  { payment_notices }: Pick<Models, 'payment_notices'>,
  notice: Pick<PaymentNoticeDocument, 'id' | 'organization_id' | 'caused_at' | 'not_renewed'>,
  position: bigint,
): void => {
  const { id, organization_id, caused_at, not_renewed } = notice;
  payment_notices.put({
    id,
    organization_id,
    cause: { kind: PAYMENT_CAUSE, id },
    priority: 'account',
    series: null,
    caused_at,
    changed_position: Number(position),
    not_renewed,
  });
};

/** Records that no further payment must be ordered for the time after this end of a subscription. */
const markRenewed = (
  models: Pick<Models, 'standings' | 'renewals'>,
  { id, end_date }: { id: string; end_date: string },
  position: bigint,
): void => {
  const state = standingOf(models, id);
  if (state.subscription?.end_date === end_date) placeRenewal(models, { ...state, renewed: true }, position);
  else if (models.renewals.get(id)?.end_date === end_date) models.renewals.delete(id);
};

/** Payments, and the to-do lists for payments and the subscriptions that they pay. */
export const payments = defineProjection({
  name: 'payments',
  version: 2,
  log: 'main',
  collections: {
    payments: collection<PaymentDocument>({
      indexes: [{ organization_id: 1, created_at: -1 }, { status: 1, created_at: -1 }, { created_at: -1 }],
    }),
    payment_beginnings: collection<PaymentTaskDocument>({ indexes: DUE }),
    paid_plans: collection<PaymentTaskDocument>({ indexes: DUE }),
    payment_notices: collection<PaymentNoticeDocument>({ indexes: [{ changed_position: 1 }] }),
    standings: collection<SubscriptionStateDocument>({ indexes: [] }),
    subscription_ends: collection<SubscriptionTaskDocument>({ indexes: DUE }),
    renewals: collection<SubscriptionTaskDocument>({ indexes: DUE }),
  },
  documents: (event) => {
    const { organization_id } = event.data;
    const ofOrganization = { standings: [organization_id], renewals: [organization_id] };
    switch (event.type) {
      case 'PaymentCreated': {
        const { payment_id, renewal } = event.data;
        return { payments: [payment_id], payment_beginnings: [payment_id], ...(renewal && ofOrganization) };
      }
      case 'PaymentInvoiced': {
        const id = event.data.payment_id;
        return { payments: [id], payment_beginnings: [id], payment_notices: [id] };
      }
      case 'PaymentSucceeded':
        return { payments: [event.data.payment_id], paid_plans: [event.data.payment_id], ...ofOrganization };
      case 'PaymentCanceled':
        return { payments: [event.data.payment_id], payment_notices: [event.data.payment_id] };
      case 'OrganizationUpdated':
        return event.data.changes.auto_renew === undefined ? {} : ofOrganization;
      case 'SubscriptionStarted':
      case 'SubscriptionExtended': {
        const { payment_id } = event.data;
        const paid = payment_id === null ? {} : { paid_plans: [payment_id] };
        return { ...ofOrganization, ...paid, subscription_ends: [organization_id] };
      }
      case 'SubscriptionEnded':
        return { ...ofOrganization, subscription_ends: [organization_id] };
      case 'SubscriptionNotRenewed':
        return { ...ofOrganization, payment_notices: [notRenewedId(event.data)] };
    }
  },
  on: {
    PaymentCreated: ({ data, position }, models) => {
      const { payment_id: id, organization_id, created_at, payment, customer, renewal } = data;
      models.payments.put({
        id,
        organization_id,
        status: 'pending',
        ...payment,
        customer,
        renewal,
        invoice: null,
        paid_at: null,
        canceled_at: null,
        created_at,
      });
      const changed_position = Number(position);
      models.payment_beginnings.put({ id, organization_id, due_at: created_at, changed_position });
      if (renewal) markRenewed(models, { id: organization_id, end_date: renewal.end_date }, position);
    },
    PaymentInvoiced: ({ data, position }, models) => {
      const { payment_id: id, organization_id, invoice_number: number, invoiced_at, seller } = data;
      models.payment_beginnings.delete(id);
      const payment = models.payments.get(id);
      if (!payment) return;
      models.payments.put({ ...payment, invoice: { number, invoiced_at, seller } });
      // A canceled payment needs no invoice.
      if (payment.status === 'canceled') return;
      addNotice(models, { id, organization_id, caused_at: invoiced_at, not_renewed: null }, position);
    },
    PaymentSucceeded: ({ data, position }, models) => {
      const { payment_id: id, organization_id, paid_at } = data;
      const payment = models.payments.get(id);
      if (payment) models.payments.put({ ...payment, status: 'succeeded', paid_at });
      const state = standingOf(models, organization_id);
      placeRenewal(models, { ...state, following: [...state.following, id] }, position);
      models.paid_plans.put({ id, organization_id, due_at: paid_at, changed_position: Number(position) });
    },
    PaymentCanceled: ({ data: { payment_id: id, canceled_at } }, { payments, payment_notices }) => {
      const payment = payments.get(id);
      if (payment) payments.put({ ...payment, status: 'canceled', canceled_at });
      payment_notices.delete(id);
    },
    OrganizationUpdated: ({ data: { organization_id, changes }, position }, models) => {
      const { auto_renew } = changes;
      if (auto_renew !== undefined)
        placeRenewal(models, { ...standingOf(models, organization_id), auto_renew }, position);
    },
    SubscriptionStarted: (event, models) => {
      const { subscription_id: id, plan, end_date } = event.data;
      startsUntil(event, models, { id, plan, end_date });
    },
    SubscriptionExtended: (event, models) => {
      const { organization_id, end_date } = event.data;
      const { subscription } = standingOf(models, organization_id);
      if (subscription) startsUntil(event, models, { ...subscription, end_date });
    },
    SubscriptionEnded: ({ data: { organization_id: id, ended_at } }, models) => {
      models.subscription_ends.delete(id);
      models.standings.put({ ...standingOf(models, id), subscription: null });
      // Keep a renewal that became due while the service was not running, so that it is still ordered.
      const waiting = models.renewals.get(id);
      if (waiting && waiting.due_at > ended_at) models.renewals.delete(id);
    },
    SubscriptionNotRenewed: ({ data, metadata, position }, models) => {
      const { organization_id, plan_name, end_date } = data;
      markRenewed(models, { id: organization_id, end_date }, position);
      const id = notRenewedId(data);
      const not_renewed = { plan_name, end_date };
      addNotice(models, { id, organization_id, caused_at: metadata.recorded_at, not_renewed }, position);
    },
  },
});

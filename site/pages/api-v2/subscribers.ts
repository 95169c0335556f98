import { Type } from '@sinclair/typebox';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import { isOpenToEveryone } from '../../../domain/page/access.ts';
import type { AddressInput } from '../../../domain/subscriber/address.ts';
import type { SubscriberMode } from '../../../domain/subscriber/events.ts';
import { FORM_BODY, JSON_BODY } from '../../../http/media/body-types.ts';
import { ANY_ORIGIN } from '../../../http/routes/cross-origin.ts';
import { tenantOfSubdomain } from '../../../queries/organizations/tenants.ts';
import { pageChangedAt } from '../../../queries/pages/newest-incidents.ts';
import { pageOfSubdomain } from '../../../queries/pages/pages.ts';
import { maskAddress } from '../../../queries/pages/recipients.ts';
import { componentsForVisitors } from '../../../queries/pages/visible-components.ts';
import { route, type Route } from '../../route.ts';
import { signUpVisitor, type NewSubscription } from '../../subscriptions/sign-up.ts';
import { PAGE_PATH } from '../page-route.ts';
import { absoluteRoot } from '../public-response.ts';
import { presentPage, timeOf } from './present.ts';
import { NewSubscriber, type Subscriber, type SubscriberFields } from './schema.ts';

type Body = Readonly<Record<string, unknown>>;

const FORM_FIELD = /^subscriber\[(\w+)\](?:\[\])?$/;

/** Returns the fields of the subscriber, which the client has sent as JSON or as a form. */
const fieldsOf = (body: Body): SubscriberFields => {
  const form = Object.entries(body).flatMap(([name, value]) => {
    const [, field] = FORM_FIELD.exec(name) ?? [];
    return field === undefined ? [] : [[field, value] as const];
  });
  return { ...Object.fromEntries(form), ...(body['subscriber'] as SubscriberFields | undefined) };
};

/**
 * Returns the mode of a subscription. It is derived from the kind of address, because Statuspage's API has no field for
 * the mode.
 */
const modeOf = ({ endpoint, phone_number }: SubscriberFields): SubscriberMode =>
  endpoint !== undefined ? 'webhook' : phone_number !== undefined ? 'sms' : 'email';

/**
 * Returns the address of the subscriber. As on Statuspage, phone numbers without a country are numbers in the United
 * States.
 */
const addressOf = (fields: SubscriberFields): AddressInput => {
  const { email, phone_number, phone_country = 'US', endpoint } = fields;
  return { mode: modeOf(fields), email, phone_number, phone_country: phone_country.toUpperCase(), endpoint };
};

const narrowingOf = ({ component_id, component_ids = [], incident_id }: SubscriberFields) => {
  const named = [...new Set([...component_ids, ...(component_id === undefined ? [] : [component_id])])];
  return { component_ids: named.length > 0 ? named : null, incident_id: incident_id ?? null };
};

/** Converts the field names in an error to those of this API. */
const renamed = (error: unknown): unknown => {
  if (!(error instanceof Invalid) || !error.errors.json) return error;
  const fields = Object.entries(error.errors.json).map(([field, sentences]) => [`subscriber.${field}`, sentences]);
  return new Invalid({ json: Object.fromEntries(fields) as Record<string, string[]> });
};

const present = (
  { id, address }: NewSubscription,
  narrowing: Pick<Subscriber, 'component_ids' | 'incident_id'>,
  createdAt: string,
): Subscriber => {
  const { mode, text, contact_email } = address;
  const email = mode === 'email' ? text : contact_email;
  return {
    id,
    mode,
    email: email === null ? null : maskAddress('email', email),
    phone_number: mode === 'sms' ? maskAddress(mode, text) : null,
    endpoint: mode === 'webhook' ? maskAddress(mode, text) : null,
    ...narrowing,
    created_at: createdAt,
  };
};

/** Subscribes a visitor, with the same rules as `POST /v1/pages/{page_id}/subscribers` without a key. */
export const subscriberRoute: Route = route({
  methods: ['post'],
  path: `${PAGE_PATH}/api/v2/subscribers.json`,
  summary: 'Subscribe to a page',
  tag: 'Status pages',
  access: { public: { tenant: tenantOfSubdomain } },
  params: Type.Object({ subdomain: Type.String() }),
  accepts: [JSON_BODY, FORM_BODY],
  body: NewSubscriber,
  crossOrigin: true,
  confidential: true,
  oneTime: ['secret'],
  responses: { 201: Type.Unknown() },
  handle: async ({ params, body, commands, context, scope, places, clientAddress }) => {
    const page = await pageOfSubdomain(scope.read, params.subdomain);
    // Subscribers receive messages without proving that they have access to the page. So a page with restricted access
    // accepts no subscriptions here (docs/reference/subscribers.md#subscribing).
    if (!page || !isOpenToEveryone(page)) throw new NotFound('Not found.');
    const fields = fieldsOf(body);
    const narrowing = narrowingOf(fields);
    const call = { page, commands, context, scope, clientAddress };
    const subscription = await signUpVisitor(call, addressOf(fields), narrowing).catch((error: unknown) => {
      throw renamed(error);
    });
    const { visible } = await componentsForVisitors(scope, page);
    const updatedAt = await pageChangedAt(scope, page, visible);
    return {
      status: 201,
      headers: ANY_ORIGIN,
      body: () => ({
        page: presentPage(page, absoluteRoot({ page, places }), updatedAt),
        subscriber: present(subscription, narrowing, timeOf(context.now)),
        ...(subscription.secret !== null && { secret: subscription.secret }),
      }),
    };
  },
});

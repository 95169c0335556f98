import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';
import { subscriptionEvents } from './subscription-events.ts';
import { userEvents } from './user-events.ts';

const CreditLimit = Type.Object({ credit_limit: Type.Union([Type.Integer(), Type.Null()]) });

const SealedOrNull = Type.Union([Sealed, Type.Null()]);

/** The details on an organization's invoices, sealed under the key `organization-{id}`. */
export const InvoiceDetails = Type.Object({
  legal_name: SealedOrNull,
  tax_id: SealedOrNull,
  address: SealedOrNull,
  email: SealedOrNull,
});
export type InvoiceDetails = Static<typeof InvoiceDetails>;

/** The fields of an organization that its admins can change. */
const OrganizationFields = Type.Object({
  name: Type.String(),
  auto_renew: Type.Boolean(),
  invoice_details: InvoiceDetails,
});

/**
 * Events of an organization, with its users, API keys and subscriptions. The events contain only the SHA-256 hash and
 * the first characters of an API key.
 */
export const organizationEvents = {
  OrganizationCreated: {
    version: 1,
    data: Type.Object({ organization_id: Type.String(), name: Type.String() }),
  },
  OrganizationUpdated: {
    version: 1,
    data: Type.Object({
      organization_id: Type.String(),
      changes: Type.Partial(OrganizationFields),
      previous: Type.Partial(OrganizationFields),
    }),
  },
  ...userEvents,
  ...subscriptionEvents,
  ApiKeyCreated: {
    version: 3,
    data: Type.Object({
      organization_id: Type.String(),
      api_key_id: Type.String(),
      name: Type.String(),
      /** the first characters of the key, by which people recognise it */
      prefix: Type.String(),
      /** SHA-256 of the key, hexadecimal */
      hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      /** the role at the time of the event; it may be unknown to this release (roles.ts) */
      role: Type.String({ minLength: 1 }),
      expires_at: Type.Union([InstantSchema, Type.Null()]),
      /**
       * `environment`: from `ADMIN_API_KEY`; `first_start`: generated because `ADMIN_API_KEY` was not set; `request`:
       * by the API
       */
      origin: Type.Union([Type.Literal('environment'), Type.Literal('first_start'), Type.Literal('request')]),
      /**
       * the user who created the key, directly or with another key; null: no user. When the user is removed, the key is
       * revoked.
       */
      created_by: Type.Union([Type.String(), Type.Null()]),
      /** id of the key with which this key was created; null: created without a key */
      created_by_key: Type.Union([Type.String(), Type.Null()]),
      /** addresses and CIDR ranges that may use the key; empty: no restriction */
      allowed_ips: Type.Array(Type.String()),
    }),
  },
  /** The operator changed the monthly credit limit. null: the limit of the plan applies. */
  OrganizationCreditLimitChanged: {
    version: 1,
    data: Type.Object({ organization_id: Type.String(), changes: CreditLimit, previous: CreditLimit }),
  },
  /** The usage of a month has reached the limit. Appended once per month and limit. */
  CreditLimitReached: {
    version: 1,
    data: Type.Object({
      organization_id: Type.String(),
      /** the first instant of the month */
      period_start: InstantSchema,
      credit_limit: Type.Integer(),
      used: Type.Integer(),
    }),
  },
  ApiKeyRevoked: {
    version: 1,
    data: Type.Object({ organization_id: Type.String(), api_key_id: Type.String(), hash: Type.String() }),
  },
} as const satisfies EventDefinitions;

export type OrganizationEvent = EventsOf<typeof organizationEvents>;

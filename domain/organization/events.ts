import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';
import { subscriptionEvents } from './subscription-events.ts';
import { userEvents } from './user-events.ts';

const CreditLimit = Type.Object({ credit_limit: Type.Union([Type.Integer(), Type.Null()]) });

const SealedOrNull = Type.Union([Sealed, Type.Null()]);

/** The details on an organization's invoices, sealed under `organization-{id}`. */
export const InvoiceDetails = Type.Object({
  legal_name: SealedOrNull,
  tax_id: SealedOrNull,
  address: SealedOrNull,
  email: SealedOrNull,
});
export type InvoiceDetails = Static<typeof InvoiceDetails>;

/** The fields of an organization that users can change. */
const OrganizationFields = Type.Object({
  name: Type.String(),
  auto_renew: Type.Boolean(),
  invoice_details: InvoiceDetails,
});

/** Events of an organization, its users, API keys and subscriptions. Keys appear here only as SHA-256 hashes. */
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
      /** the first characters, by which people recognise keys */
      prefix: Type.String(),
      /** SHA-256 of the key, hexadecimal */
      hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      /** one of those that existed at the time (roles.ts) */
      role: Type.String({ minLength: 1 }),
      expires_at: Type.Union([InstantSchema, Type.Null()]),
      /** `environment`: from `ADMIN_API_KEY`; `first_start`: generated because that was not set */
      origin: Type.Union([Type.Literal('environment'), Type.Literal('first_start'), Type.Literal('request')]),
      /** the user who created it, directly or with another key; it is revoked with the user. Null: no user */
      created_by: Type.Union([Type.String(), Type.Null()]),
      /** the key with which it was created; null: none */
      created_by_key: Type.Union([Type.String(), Type.Null()]),
      /** addresses and CIDR ranges that may use it; empty: no restriction */
      allowed_ips: Type.Array(Type.String()),
    }),
  },
  /** the monthly limit that an operator set; null: the limit of the plan */
  OrganizationCreditLimitChanged: {
    version: 1,
    data: Type.Object({ organization_id: Type.String(), changes: CreditLimit, previous: CreditLimit }),
  },
  /** the usage of a month has reached the limit; once per month and limit */
  CreditLimitReached: {
    version: 1,
    data: Type.Object({
      organization_id: Type.String(),
      /** first instant of the month */
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

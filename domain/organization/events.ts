import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';
import { subscriptionEvents } from './subscription-events.ts';
import { userEvents } from './user-events.ts';

const CreditLimit = Type.Object({ credit_limit: Type.Union([Type.Integer(), Type.Null()]) });

const SealedOrNull = Type.Union([Sealed, Type.Null()]);

/** What stands on an organization's invoices, sealed under `organization-{id}`. */
export const InvoiceDetails = Type.Object({
  legal_name: SealedOrNull,
  tax_id: SealedOrNull,
  address: SealedOrNull,
  email: SealedOrNull,
});
export type InvoiceDetails = Static<typeof InvoiceDetails>;

/** What people change about an organization. */
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
      /** the first characters, by which people recognize keys */
      prefix: Type.String(),
      /** SHA-256 of the key, hexadecimal */
      hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      /** one of those that existed at the time (roles.ts) */
      role: Type.String({ minLength: 1 }),
      expires_at: Type.Union([InstantSchema, Type.Null()]),
      /** `environment`: from `ADMIN_API_KEY`; `first_start`: generated because that was not set */
      origin: Type.Union([Type.Literal('environment'), Type.Literal('first_start'), Type.Literal('request')]),
      /** the user who made it, also by another key; it ends with that user. Null: nobody who signs in */
      created_by: Type.Union([Type.String(), Type.Null()]),
      /** the key that it was made by; null: none */
      created_by_key: Type.Union([Type.String(), Type.Null()]),
      /** addresses and CIDR ranges that it works from; empty: from everywhere */
      allowed_ips: Type.Array(Type.String()),
    }),
  },
  /** what an operator allows it to use per month; null: no limit */
  OrganizationCreditLimitChanged: {
    version: 1,
    data: Type.Object({ organization_id: Type.String(), changes: CreditLimit, previous: CreditLimit }),
  },
  /** the results of a month have used up what is allowed; once per month and limit */
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

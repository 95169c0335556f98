import { Type } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const CreditLimit = Type.Object({ credit_limit: Type.Union([Type.Integer(), Type.Null()]) });

/** Events of an organization and its API keys. Keys appear here only as SHA-256 hashes. */
export const organizationEvents = {
  OrganizationCreated: {
    version: 1,
    data: Type.Object({ organization_id: Type.String(), name: Type.String() }),
  },
  ApiKeyCreated: {
    version: 2,
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

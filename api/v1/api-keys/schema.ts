import { Type, type Static } from '@sinclair/typebox';
import { MOST_ALLOWED_IPS } from '../../../domain/organization/allowed-ips.ts';
import { LONGEST_NAME } from '../../../domain/organization/name.ts';
import { ROLES } from '../../../domain/organization/roles.ts';
import { IS_ADDRESS_OR_RANGE, isAddressOrRange } from '../../../domain/target/within.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ApiKeyDocument } from '../../../projections/organizations/documents.ts';
import { presenting } from '../../present.ts';
import { checked, choice, Id, InstantOut, instantIn, named, nullable, text } from '../../schema.ts';

/** An API key as it is read (decisions.md: API keys); the key itself is shown once, as `token`. */
export const ApiKey = named(
  'ApiKey',
  Type.Object({
    id: Id,
    name: Type.String(),
    prefix: Type.String({ description: 'the first characters of the key' }),
    role: Type.String({
      description: 'it may never do more than whoever made it may at present',
      examples: [...ROLES],
    }),
    allowed_ips: Type.Array(Type.String(), { description: 'where it works from; empty: from everywhere' }),
    created_by: nullable(
      Type.String({ ...Id, description: 'the user who made it, and with whom it ends; null: nobody who signs in' }),
    ),
    created_at: InstantOut,
    expires_at: nullable(InstantOut),
    last_used_at: nullable(Type.String({ ...InstantOut, description: 'at most a minute late' })),
  }),
);
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKeyAnswer = named(
  'ApiKeyWithToken',
  Type.Object({
    ...ApiKey.properties,
    token: Type.Optional(Type.String({ description: 'the key itself, shown once; absent in a repeated answer' })),
  }),
);

/** Longer than any spelling of a range. */
const LONGEST_RANGE = 60;

const isAllowed = (range: string): boolean => isAddressOrRange(range.trim());

export const NewApiKey = Type.Object({
  name: text(LONGEST_NAME, { min: 1 }),
  role: Type.Optional(choice(ROLES, { description: "default: the caller's own, which it can't go beyond" })),
  expires_at: Type.Optional(nullable(instantIn({ description: 'in the future; null: never' }))),
  allowed_ips: Type.Optional(
    nullable(
      Type.Array(checked(Type.String({ maxLength: LONGEST_RANGE }), isAllowed, IS_ADDRESS_OR_RANGE), {
        maxItems: MOST_ALLOWED_IPS,
        description: 'addresses and CIDR ranges; null or empty: from everywhere',
        examples: [['192.0.2.7', '2001:db8::/32']],
      }),
    ),
  ),
});

const present = presenting(ApiKey, ['id', 'last_used_at', 'allowed_ips']);

export interface ApiKeyWithUse {
  key: ApiKeyDocument;
  lastUsedAt: Instant | null;
}

export const presentApiKey = ({ key, lastUsedAt }: ApiKeyWithUse): ApiKey =>
  present(key, { id: key.api_key_id, last_used_at: lastUsedAt, allowed_ips: [...key.allowed_ips] });

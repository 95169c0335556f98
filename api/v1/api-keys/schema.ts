import { Type, type Static } from '@sinclair/typebox';
import { MAX_ALLOWED_IPS } from '../../../domain/organization/allowed-ips.ts';
import { MAX_ORGANIZATION_NAME } from '../../../domain/organization/name.ts';
import { ROLES } from '../../../domain/organization/roles.ts';
import { IS_ADDRESS_OR_RANGE, isAddressOrRange } from '../../../domain/target/address-range.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ApiKeyDocument } from '../../../projections/organizations/documents.ts';
import { createPresenter } from '../../presenter.ts';
import { withCheck, choice, Id, InstantOut, instantIn, namedSchema, nullable, text } from '../../schema.ts';

/**
 * An API key in responses (docs/reference/api-keys.md#key-fields). The key itself is shown only in the response to its
 * creation, as `token`.
 */
export const ApiKey = namedSchema(
  'ApiKey',
  Type.Object({
    id: Id,
    name: Type.String(),
    prefix: Type.String({ description: 'The first characters of the key.' }),
    role: Type.String({
      description: 'The key never has more permissions than its creator has at present.',
      examples: [...ROLES],
    }),
    allowed_ips: Type.Array(Type.String(), {
      description: 'Addresses and ranges that may use the key. Empty if all may.',
    }),
    created_by: nullable(
      Type.String({
        ...Id,
        description: 'The user who created the key. Removing the user ends the key. Null if no user created it.',
      }),
    ),
    created_at: InstantOut,
    expires_at: nullable(InstantOut),
    last_used_at: nullable(Type.String({ ...InstantOut, description: 'Updated with a delay of at most a minute.' })),
  }),
);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyWithToken = namedSchema(
  'ApiKeyWithToken',
  Type.Object({
    ...ApiKey.properties,
    token: Type.Optional(
      Type.String({ description: 'The key itself. Shown once: repeating the request does not return it again.' }),
    ),
  }),
);

/** Maximum length of an address range in characters. No valid notation of an address range is longer. */
const LONGEST_RANGE = 60;

const isAllowed = (range: string): boolean => isAddressOrRange(range.trim());

export const NewApiKey = Type.Object({
  name: text(MAX_ORGANIZATION_NAME, { min: 1 }),
  role: Type.Optional(choice(ROLES, { description: "Default: the caller's own role. It must not exceed that role." })),
  expires_at: Type.Optional(
    nullable(instantIn({ description: 'A time in the future. Null if the key never expires.' })),
  ),
  allowed_ips: Type.Optional(
    nullable(
      Type.Array(withCheck(Type.String({ maxLength: LONGEST_RANGE }), isAllowed, IS_ADDRESS_OR_RANGE), {
        maxItems: MAX_ALLOWED_IPS,
        description: 'Addresses and CIDR ranges that may use the key. Null or empty if all may.',
        examples: [['192.0.2.7', '2001:db8::/32']],
      }),
    ),
  ),
});

const present = createPresenter(ApiKey, ['id', 'last_used_at', 'allowed_ips']);

export interface ApiKeyWithUse {
  key: ApiKeyDocument;
  lastUsedAt: Instant | null;
}

export const presentApiKey = ({ key, lastUsedAt }: ApiKeyWithUse): ApiKey =>
  present(key, { id: key.api_key_id, last_used_at: lastUsedAt, allowed_ips: [...key.allowed_ips] });

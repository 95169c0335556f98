import type { Instant } from '../../domain/time.ts';

export interface OrganizationDocument {
  id: string;
  name: string;
  /** credits in a month; null: no limit */
  credit_limit: number | null;
  created_at: Instant;
  updated_at: Instant;
}

/** An API key that was not revoked; one that has expired is still here. */
export interface ApiKeyDocument {
  /** SHA-256 of the key, hexadecimal, so that authenticating is one `get` */
  id: string;
  api_key_id: string;
  organization_id: string;
  name: string;
  prefix: string;
  /** known to this release or not (domain/organization/roles.ts) */
  role: string;
  /** id of the user who made it; null when it was made at the command line or at first start */
  created_by: string | null;
  created_at: Instant;
  /** from this moment on the key is refused; null: never */
  expires_at: Instant | null;
}

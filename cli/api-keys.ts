import type { ApiKeyDocument } from '../projections/organizations/documents.ts';

/** An API key as people see it: nothing of the key but its first characters. */
export const shownApiKey = ({
  api_key_id,
  name,
  prefix,
  role,
  created_by,
  created_at,
  expires_at,
}: ApiKeyDocument) => ({
  id: api_key_id,
  name,
  prefix,
  role,
  created_by,
  created_at,
  expires_at,
});

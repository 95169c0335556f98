import { collection, defineProjection } from '../engine/fold/define.ts';
import type { ApiKeyDocument, OrganizationDocument } from './documents.ts';

/** Organizations and their API keys: who calls, for whom, with which role. */
export const organizations = defineProjection({
  name: 'organizations',
  version: 1,
  log: 'main',
  collections: {
    organizations: collection<OrganizationDocument>({ indexes: [{ created_at: 1 }] }),
    api_keys: collection<ApiKeyDocument>({ indexes: [{ organization_id: 1, created_at: 1 }] }),
  },
  documents: (event) => {
    switch (event.type) {
      case 'OrganizationCreated':
      case 'OrganizationCreditLimitChanged':
        return { organizations: [event.data.organization_id] };
      case 'ApiKeyCreated':
      case 'ApiKeyRevoked':
        return { api_keys: [event.data.hash] };
    }
  },
  on: {
    OrganizationCreated: ({ data, metadata }, { organizations }) => {
      const at = metadata.recorded_at;
      const { organization_id: id, name } = data;
      organizations.put({ id, name, credit_limit: null, created_at: at, updated_at: at });
    },
    OrganizationCreditLimitChanged: ({ data, metadata }, { organizations }) => {
      const organization = organizations.get(data.organization_id);
      if (organization) organizations.put({ ...organization, ...data.changes, updated_at: metadata.recorded_at });
    },
    ApiKeyCreated: ({ data, metadata }, { api_keys }) => {
      api_keys.put({
        id: data.hash,
        api_key_id: data.api_key_id,
        organization_id: data.organization_id,
        name: data.name,
        prefix: data.prefix,
        role: data.role,
        created_by: metadata.actor.kind === 'user' ? metadata.actor.id : null,
        created_at: metadata.recorded_at,
        expires_at: data.expires_at,
      });
    },
    ApiKeyRevoked: ({ data }, { api_keys }) => {
      api_keys.delete(data.hash);
    },
  },
});

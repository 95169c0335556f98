import { normalizedDomain } from '../../domain/page/names.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';
import type { PageDocument } from './documents.ts';

/**
 * Status pages. A deleted page keeps its document, so one look at it shows that everything below it
 * is gone.
 */
export const pages = defineProjection({
  name: 'pages',
  version: 1,
  log: 'main',
  collections: {
    pages: collection<PageDocument>({
      indexes: [{ organization_id: 1, deleted_at: 1, name: 1 }, { subdomain: 1 }, { domain_key: 1 }],
    }),
  },
  documents: (event) => ({ pages: [event.data.page_id] }),
  on: {
    PageCreated: ({ data, metadata }, { pages }) => {
      pages.put({
        id: data.page_id,
        organization_id: metadata.organization_id ?? '',
        ...data.page,
        created_at: data.created_at,
        updated_at: data.created_at,
        domain_key: keyOf(data.page.domain),
        deleted_at: null,
      });
    },
    PageUpdated: ({ data }, { pages }) => {
      const page = pages.get(data.page_id);
      if (!page) return;
      const changed = { ...page, ...data.changes, updated_at: data.changed_at };
      pages.put({ ...changed, domain_key: keyOf(changed.domain) });
    },
    PageDeleted: ({ data }, { pages }) => {
      const page = pages.get(data.page_id);
      if (page) pages.put({ ...page, deleted_at: data.deleted_at });
    },
  },
});

const keyOf = (domain: string | null): string | null => (domain === null ? null : normalizedDomain(domain));

import { normalizedDomain } from '../../domain/page/names.ts';
import { revisionOf } from '../../domain/revision.ts';
import { revokesTokens } from '../../domain/page/state.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import type { PageDocument, PagePasswordDocument } from './documents.ts';

/**
 * Status pages, with their passwords. The document of a deleted page remains, so that a single read shows that
 * everything that belongs to the page is hidden.
 */
export const pages = defineProjection({
  name: 'pages',
  version: 5,
  log: 'main',
  collections: {
    pages: collection<PageDocument>({
      indexes: [
        { organization_id: 1, deleted_at: 1, name: 1 },
        { deleted_at: 1, hidden_from_search: 1, name: 1 },
        { subdomain: 1 },
        { domain_key: 1 },
      ],
    }),
  },
  documents: (event) => ({ pages: [event.data.page_id] }),
  on: {
    PageCreated: (event, { pages }) => {
      const { data, metadata, position } = event;
      pages.put({
        id: data.page_id,
        organization_id: metadata.organization_id ?? '',
        ...data.page,
        revision: revisionOf(event),
        created_at: data.created_at,
        updated_at: data.created_at,
        domain_key: keyOf(data.page.domain),
        edits_from_position: data.page.show_edits ? Number(position) : null,
        passwords: [],
        deleted_at: null,
      });
    },
    PageUpdated: (event, { pages }) => {
      const { data, position } = event;
      const page = pages.get(data.page_id);
      if (!page) return;
      const changed = { ...page, ...data.changes, revision: revisionOf(event), updated_at: data.changed_at };
      const edits_from_position = page.edits_from_position ?? (changed.show_edits ? Number(position) : null);
      pages.put({ ...changed, domain_key: keyOf(changed.domain), edits_from_position });
    },
    PageDeleted: ({ data }, { pages }) => {
      const page = pages.get(data.page_id);
      if (page) pages.put({ ...page, deleted_at: data.deleted_at });
    },
    PagePasswordAdded: ({ data: { page_id, password_id: id, password, created_at }, metadata }, models) => {
      const added = { id, ...password, revision: 1, created_by: metadata.actor.id, created_at, updated_at: created_at };
      changePasswords(models, page_id, (passwords) => [...passwords, added]);
    },
    PagePasswordUpdated: ({ data }, models) => {
      const { page_id, password_id, changes, changed_at } = data;
      const revoked = revokesTokens(data) ? 1 : 0;
      changePasswords(models, page_id, (passwords) =>
        passwords.map((password) =>
          password.id === password_id
            ? { ...password, ...changes, revision: password.revision + revoked, updated_at: changed_at }
            : password,
        ),
      );
    },
    PagePasswordRemoved: ({ data: { page_id, password_id } }, models) => {
      changePasswords(models, page_id, (passwords) => passwords.filter(({ id }) => id !== password_id));
    },
  },
});

const changePasswords = (
  { pages }: { pages: Model<PageDocument> },
  pageId: string,
  change: (passwords: readonly PagePasswordDocument[]) => readonly PagePasswordDocument[],
): void => {
  const page = pages.get(pageId);
  if (page) pages.put({ ...page, passwords: change(page.passwords) });
};

const keyOf = (domain: string | null): string | null => (domain === null ? null : normalizedDomain(domain));

import type { Client } from '../../../cli/apply/client.ts';
import { isFields, type Fields } from '../../../domain/fields.ts';

/** A change that a client has sent. */
export interface SentChange {
  method: string;
  path: string;
  body: unknown;
  revision?: number | undefined;
}

const LISTS: Readonly<Record<string, string>> = {
  '/v1/secrets': 'secrets',
  '/v1/check-groups': 'groups',
  '/v1/checks': 'checks',
  '/v1/heartbeats': 'checks',
  '/v1/pages': 'pages',
  '/v1/incident-templates': 'incident_templates',
};

/** Paths of the bodies that take `managed_by`. */
const MARKED = ['/v1/check-groups', '/v1/checks', '/v1/alerts/channels', '/v1/alerts/rules'];

/**
 * Creates a client of a service that exists only in memory. It stores bodies as they are sent, and adds ids, revisions
 * and times.
 *
 * @param stored objects by the path of their collection
 */
export const fakeService = (
  stored: Readonly<Record<string, Fields[]>> = {},
): { client: Client; sent: SentChange[] } => {
  const sent: SentChange[] = [];
  let made = 0;
  const described = Object.fromEntries(
    MARKED.map((path) => [path, { post: { requestBody: { schema: { properties: { managed_by: {} } } } } }]),
  );
  const client: Client = {
    server: 'http://fake.example',
    text: () => Promise.reject(new Error('No text is read.')),
    close: () => Promise.resolve(),
    list: async (path) => {
      if (!(path in LISTS)) throw new Error(`${path} is no list with pages.`);
      return [...(stored[path] ?? [])];
    },
    get: async (path) => {
      if (path === '/openapi.json') return { paths: described };
      const channels = /^\/v1\/heartbeats\/(\w+)\/channels$/.exec(path);
      if (channels) return { channels: [] };
      const secret = /^\/v1\/secrets\/(\w+)$/.exec(path);
      if (secret) return stored['/v1/secrets']?.find(({ id }) => id === secret[1]);
      const list = stored[path.replace(/\?.*$/, '')] ?? [];
      return path.includes('?page=') ? { pagination: { total_items: list.length } } : [...list];
    },
    write: async (method, path, body, options) => {
      sent.push({ method, path, body, revision: options?.revision });
      if (path === '/v1/checks/bulk') {
        const { create } = body as { create: unknown[] };
        return { results: create.map(() => ({ id: `made${(made += 1)}`, status: 201, error: null })) };
      }
      return method === 'DELETE' ? null : { ...(isFields(body) && body), id: `made${(made += 1)}` };
    },
  };
  return { client, sent };
};

/** Returns the fields that the service adds to an object. */
export const storedAs = (id: string, fields: Fields): Fields => ({
  id,
  revision: 7,
  created_at: `2026-11-20T15:04:05.${id.padEnd(6, '0')}`,
  ...fields,
});

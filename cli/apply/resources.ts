import type { ObjectKind } from '../../api/configuration/entries.ts';
import type { Fields } from '../../domain/fields.ts';
import type { Client } from './client.ts';

/** An object as the service shows it. */
export interface Shown extends Fields {
  id: string;
  name: string;
}

/** Where the interface has the objects of a kind. */
interface Resource {
  /** path of the collection; `{page_id}` stands for the id of the page */
  path: string;
  read: (client: Client, pageIds: readonly string[]) => Promise<Shown[]>;
}

const paginated =
  (path: string, key: string, size?: 'per_page'): Resource['read'] =>
  async (client) =>
    (await client.list(path, key, size)) as Shown[];

const whole =
  (path: string): Resource['read'] =>
  async (client) =>
    (await client.get(path)) as Shown[];

/** Reads the components and groups of pages. `isGroup` selects one of them. */
const ofPages =
  (isGroup: boolean): Resource['read'] =>
  async (client, pageIds) => {
    const lists = await Promise.all(
      pageIds.map(async (id) => (await client.get(`/v1/pages/${id}/components`)) as Shown[]),
    );
    return lists.flat().filter(({ group }) => group === isGroup);
  };

const heartbeatsWithChannels: Resource['read'] = async (client) => {
  const found = await client.list('/v1/heartbeats', 'checks', 'per_page');
  return Promise.all(
    found.map(async (heartbeat) => {
      const { channels } = (await client.get(`/v1/heartbeats/${String(heartbeat['id'])}/channels`)) as {
        channels: Shown[];
      };
      return { ...heartbeat, channel_ids: channels.map(({ id }) => id) } as unknown as Shown;
    }),
  );
};

const secretsByName: Resource['read'] = async (client) =>
  (await client.list('/v1/secrets', 'secrets')).map(
    (secret) => ({ ...secret, name: secret['secret_name'] }) as unknown as Shown,
  );

export const RESOURCES: Readonly<Record<ObjectKind, Resource>> = {
  secrets: { path: '/v1/secrets', read: secretsByName },
  check_groups: { path: '/v1/check-groups', read: paginated('/v1/check-groups', 'groups') },
  checks: { path: '/v1/checks', read: paginated('/v1/checks', 'checks') },
  pages: { path: '/v1/pages', read: paginated('/v1/pages', 'pages') },
  component_groups: { path: '/v1/pages/{page_id}/component-groups', read: ofPages(true) },
  components: { path: '/v1/pages/{page_id}/components', read: ofPages(false) },
  channels: { path: '/v1/alerts/channels', read: whole('/v1/alerts/channels') },
  rules: { path: '/v1/alerts/rules', read: whole('/v1/alerts/rules?by_tag=true') },
  heartbeats: { path: '/v1/heartbeats', read: heartbeatsWithChannels },
  incident_templates: {
    path: '/v1/incident-templates',
    read: paginated('/v1/incident-templates', 'incident_templates'),
  },
};

/** The kinds whose objects the objects of a kind refer to. */
const REFERS_TO: Readonly<Record<ObjectKind, readonly ObjectKind[]>> = {
  secrets: [],
  check_groups: [],
  checks: ['secrets', 'check_groups'],
  pages: [],
  component_groups: ['pages'],
  components: ['pages', 'component_groups', 'checks'],
  channels: ['pages', 'components'],
  rules: ['checks', 'channels'],
  heartbeats: ['channels'],
  incident_templates: ['pages', 'components'],
};

/** Returns the given kinds, and all kinds that their objects refer to. */
export const withReferenced = (kinds: Iterable<ObjectKind>): Set<ObjectKind> => {
  const found = new Set<ObjectKind>();
  const add = (kind: ObjectKind): void => {
    if (found.has(kind)) return;
    found.add(kind);
    REFERS_TO[kind].forEach(add);
  };
  for (const kind of kinds) add(kind);
  return found;
};

/** Reads all objects of the kinds, oldest first. */
export const readResources = async (
  client: Client,
  kinds: ReadonlySet<ObjectKind>,
): Promise<Map<ObjectKind, Shown[]>> => {
  const read = async (kind: ObjectKind, pageIds: readonly string[]): Promise<[ObjectKind, Shown[]]> => [
    kind,
    (await RESOURCES[kind].read(client, pageIds)).sort(byAge),
  ];
  const [parts, others] = [[...kinds].filter(isPart), [...kinds].filter((kind) => !isPart(kind))];
  const found = new Map(await Promise.all(others.map((kind) => read(kind, []))));
  const pageIds = (found.get('pages') ?? []).map(({ id }) => id);
  for (const [kind, objects] of await Promise.all(parts.map((kind) => read(kind, pageIds)))) found.set(kind, objects);
  return found;
};

const isPart = (kind: ObjectKind): boolean => kind === 'component_groups' || kind === 'components';

const byAge = (one: Shown, other: Shown): number => {
  const [a, b] = [one, other].map(({ created_at, id }) => `${String(created_at)} ${id}`);
  return (a ?? '') < (b ?? '') ? -1 : 1;
};

/** Returns the kinds whose creation takes `managed_by`, according to the OpenAPI document of the service. */
export const markedKinds = async (client: Client): Promise<Set<ObjectKind>> => {
  const { paths } = (await client.get('/openapi.json')) as {
    paths: Readonly<Record<string, { post?: { requestBody?: unknown } }>>;
  };
  const kinds = Object.entries(RESOURCES) as [ObjectKind, Resource][];
  return new Set(
    kinds.flatMap(([kind, { path }]) =>
      JSON.stringify(paths[path]?.post?.requestBody ?? null).includes('"managed_by"') ? [kind] : [],
    ),
  );
};

import { randomUUID } from 'node:crypto';
import type { Random } from '../contracts/random.ts';

/** Ids of resources to which other resources refer. */
export interface ReferencedIds {
  page: string;
  check: string;
  channel: string;
}

type Shown = Record<string, unknown>;

/** A kind of resource: how its resources are created, changed and compared. `value` is different in each write. */
export interface ResourceKind {
  name: string;
  collection: (places: ReferencedIds) => string;
  create: (value: string, places: ReferencedIds) => object;
  /** the body of a change; null if resources of this kind can't be changed */
  change: ((value: string) => object) | null;
  /**
   * Returns the part of a response that depends on the newest `value`. `created` and `changed` return the expected
   * part.
   */
  shown: (body: Shown) => unknown;
  created: (value: string) => unknown;
  changed: (value: string) => unknown;
}

const named = (
  name: string,
  collection: ResourceKind['collection'],
  rest: (places: ReferencedIds) => object = () => ({}),
): ResourceKind => ({
  name,
  collection,
  create: (value, places) => ({ ...rest(places), name: value }),
  change: (value) => ({ name: value }),
  shown: ({ name: shown }) => shown,
  created: (value) => value,
  changed: (value) => value,
});

export const CHECK = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, active: false };
export const CHANNEL = { name: 'Chat', type: 'telegram', configuration: { bot_token: '1:a', chat_id: '1' } };

export const KINDS: readonly ResourceKind[] = [
  named('page', () => '/v1/pages'),
  named('component', ({ page }) => `/v1/pages/${page}/components`),
  {
    ...named('incident', ({ page }) => `/v1/pages/${page}/incidents`),
    create: (value) => ({ name: value, status: 'investigating', body: 'Opened.', components: {} }),
    change: (value) => ({ name: value, status: 'resolved', body: 'Resolved.' }),
    shown: ({ name, status }) => `${String(name)} is ${String(status)}`,
    created: (value) => `${value} is investigating`,
    changed: (value) => `${value} is resolved`,
  },
  named(
    'check',
    () => '/v1/checks',
    () => CHECK,
  ),
  named('check group', () => '/v1/check-groups'),
  named(
    'heartbeat',
    () => '/v1/heartbeats',
    () => ({ period_seconds: 3_600 }),
  ),
  named(
    'alert channel',
    () => '/v1/alerts/channels',
    () => CHANNEL,
  ),
  named(
    'alert rule',
    () => '/v1/alerts/rules',
    ({ check, channel }) => ({
      check_id: check,
      condition: 'check_failed',
      channel_ids: [channel],
    }),
  ),
  {
    ...named('secret', () => '/v1/secrets'),
    create: (value) => ({ secret_name: value.toUpperCase().replaceAll('-', '_'), secret_value: value }),
    change: (value) => ({ secret_value: value }),
    shown: ({ secret_value }) => secret_value,
  },
  { ...named('API key', () => '/v1/api-keys'), change: null },
  {
    ...named('subscriber', ({ page }) => `/v1/pages/${page}/subscribers`),
    create: (value) => ({ mode: 'webhook', endpoint: `http://127.0.0.1:9/${value}` }),
    change: null,
    shown: ({ mode }) => mode,
    created: () => 'webhook',
  },
];

/** A write that is about to be sent. */
export interface PlannedWrite {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  key: string;
  body?: object;
  value: string;
}

/** A resource in its expected state. */
export interface ExpectedResource {
  kind: ResourceKind;
  writer: number;
  /** null until the creation is acknowledged */
  path: string | null;
  /** the expected response; null after a deletion */
  expected: unknown;
  /** a write that was sent but not acknowledged */
  pending: PlannedWrite | null;
  changes: number;
}

/** Maximum number of resources per writer. */
const MOST = 12;

/** Records all acknowledged writes, and the writes without a response. */
export const createModel = (places: ReferencedIds, random: Random) => {
  const items: ExpectedResource[] = [];
  let values = 0;
  const run = randomUUID().slice(0, 8);

  const wantedOf = (item: ExpectedResource): PlannedWrite => {
    const value = `v-${run}-${values++}`;
    const shared = { key: `key-${value}`, value };
    if (item.path === null) {
      const path = item.kind.collection(places);
      return { ...shared, method: 'POST', path, body: item.kind.create(value, places) };
    }
    const { path } = item;
    // A resolved incident can't be changed.
    const mayChange = item.kind.change !== null && !(item.kind.name === 'incident' && item.changes > 0);
    if (mayChange && !random.oneIn(3) && item.kind.change) {
      return { ...shared, method: 'PATCH', path, body: item.kind.change(value) };
    }
    return { ...shared, method: 'DELETE', path };
  };

  return {
    all: (): readonly ExpectedResource[] => items,

    /** Plans the next write of a writer. */
    next: (writer: number): { item: ExpectedResource; wanted: PlannedWrite } => {
      const own = items.filter((item) => item.writer === writer && item.expected !== null && item.path !== null);
      const chosen = own.length > 0 && (own.length >= MOST || random.oneIn(2)) ? random.pick(own) : null;
      const item: ExpectedResource = chosen ?? {
        kind: random.pick(KINDS),
        writer,
        path: null,
        expected: null,
        pending: null,
        changes: 0,
      };
      if (!chosen) items.push(item);
      const wanted = wantedOf(item);
      item.pending = wanted;
      return { item, wanted };
    },

    acknowledge: (item: ExpectedResource, { method, path, value }: PlannedWrite, id?: string): void => {
      item.pending = null;
      item.changes += method === 'PATCH' ? 1 : 0;
      if (method === 'POST') item.path = `${path}/${id ?? ''}`;
      item.expected =
        method === 'DELETE' ? null : method === 'POST' ? item.kind.created(value) : item.kind.changed(value);
      // Keeps the list sorted by the time of the newest write, with the most recently written resource at the end.
      items.push(...items.splice(items.indexOf(item), 1));
    },

    pending: (): { item: ExpectedResource; wanted: PlannedWrite }[] =>
      items.flatMap((item) => (item.pending ? [{ item, wanted: item.pending }] : [])),

    /** Returns the resources that were changed most recently. */
    recent: (count: number): readonly ExpectedResource[] => items.slice(-count),
  };
};

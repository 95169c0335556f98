import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PublicAddressSettings } from '../../../domain/page/public-address.ts';
import type { HostedPage, PageHosts } from '../../../http/hosts/page-hosts.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { WriteReport, WriteListener } from '../../../projections/engine/status/write-reports.ts';
import type { Read } from '../../../projections/readers.ts';
import { createPageHosts } from '../../../site/hosts/page-hosts.ts';

const test = suite('finding pages by host name');

const PLACES = { publicUrl: 'https://uptrail.example', publicDomain: 'status.example' };

/** Simulates a store of pages that counts queries and reports writes. */
const store = (
  stored: Partial<PageDocument>[],
  { cluster = false, places = PLACES }: { cluster?: boolean; places?: PublicAddressSettings } = {},
) => {
  const counts = { queries: 0 };
  let hold: Promise<void> = Promise.resolve();
  const listeners: WriteListener[] = [];
  const find = async ({ where }: { where: Record<string, unknown> }): Promise<Partial<PageDocument>[]> => {
    counts.queries += 1;
    const found = stored.filter((page) =>
      Object.entries(where).every(([field, wanted]) =>
        typeof wanted === 'object' && wanted !== null
          ? typeof page[field as keyof PageDocument] === 'string'
          : page[field as keyof PageDocument] === wanted,
      ),
    );
    await hold;
    return found;
  };
  const time = { now: 0 };
  const hosts: PageHosts = createPageHosts({
    places,
    read: () => (() => ({ pages: { find } })) as unknown as Read,
    statuses: cluster
      ? null
      : { onWritten: (listener) => (listeners.push(listener), () => listeners.splice(listeners.indexOf(listener), 1)) },
    clock: () => time.now,
  });
  const written: WriteReport = { projection: 'pages', position: 1n, collections: 'unknown' };
  return {
    hosts,
    counts,
    time,
    stored,
    write: () => {
      for (const listener of [...listeners]) listener(written);
    },
    listening: () => listeners.length,
    holding: (until: Promise<void>): void => {
      hold = until;
    },
    of: async (name: string): Promise<HostedPage | null> => hosts.of(name),
  };
};

const ACME = { id: 'p1', subdomain: 'acme', domain_key: 'status.acme.test', deleted_at: null };

test('pages are found by subdomain and custom domain, and the result is cached', async () => {
  const { of, counts, hosts } = store([ACME]);
  assert.equal(await of('acme.status.example'), {
    host: 'acme.status.example',
    by: 'subdomain',
    pageId: 'p1',
    subdomain: 'acme',
  });
  assert.is((await of('status.acme.test'))?.by, 'domain');
  assert.is(await of('other.status.example'), null);
  const before = counts.queries;
  for (const name of ['acme.status.example', 'status.acme.test', 'other.status.example'])
    assert.not.instance(hosts.of(name), Promise, name);
  assert.is(counts.queries, before);
  assert.ok(hosts.isKnown('acme.status.example'));
  assert.not(hosts.isKnown('other.status.example'));
});

test('the store is queried neither for host names of the service, nor for any host name while no page has a domain', async () => {
  const { hosts, counts, listening } = store([{ ...ACME, domain_key: null }], {
    places: { publicUrl: null, publicDomain: null },
  });
  for (const name of ['127.0.0.1', 'localhost', 'uptrail']) assert.is(hosts.of(name), null);
  assert.equal([counts.queries, listening()], [0, 0]);
  for (const name of ['a.example', 'b.example', 'c.example']) assert.is(await hosts.of(name), null);
  assert.is(counts.queries, 1, 'whether any page has a domain');
});

test('cached host names are evicted when a page is written, including the results of queries that started before the write', async () => {
  const { of, stored, write, holding } = store([ACME]);
  assert.ok(await of('status.acme.test'));
  let go = (): void => undefined;
  holding(new Promise((resolve) => (go = resolve)));
  const early = of('beta.status.example');
  stored.splice(
    0,
    1,
    { ...ACME, domain_key: 'new.acme.test' },
    { ...ACME, id: 'p2', subdomain: 'beta', domain_key: null },
  );
  write();
  go();
  assert.is(await early, null, 'read before it was written');
  assert.is(await of('status.acme.test'), null);
  assert.ok(await of('new.acme.test'));
  assert.ok(await of('beta.status.example'));
});

test('host names are cached for only a second in a cluster, where other processes write pages', async () => {
  const { of, stored, time } = store([ACME], { cluster: true });
  assert.ok(await of('acme.status.example'));
  stored.splice(0, 1);
  time.now = 999;
  assert.ok(await of('acme.status.example'));
  time.now = 1_000;
  assert.is(await of('acme.status.example'), null);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPage, deletePage, updatePage, type NewPage } from '../../../commands/pages/pages.ts';
import { NameTaken } from '../../../commands/reservations/reservations.ts';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';
import { pageOfEachName, pagesOf } from '../page-names-of-log.ts';
import { aContext, ProcessDied, dyingAtAppend, startProcess } from '../simulated-processes.ts';

const test = suite('a page’s unique name');

const log = (): EventStore => createMemoryEventStore('main');
const create = (store: EventStore, input: Partial<NewPage> = {}, context = aContext()): Promise<string> =>
  startProcess(store).commands.bind(createPage)({ name: 'Acme', ...input }, context);
const stranger = () => aContext({ organizationId: 'org000000002' });

test('a page has the given subdomain in lower case, and no other page can use it', async () => {
  const store = log();
  const id = await create(store, { subdomain: 'Acme' });
  assert.equal(await pageOfEachName(store), new Map([['acme', id]]));
  await rejects(create(store, { subdomain: 'ACME' }, stranger()), NameTaken, 'The subdomain acme is taken.');
});

test('a page has the given domain, and no other page can use it', async () => {
  const store = log();
  const id = await create(store, { domain: 'Пример.РФ' });
  assert.equal(await pageOfEachName(store, 'domain'), new Map([['xn--e1afmkfd.xn--p1ai', id]]));
  await rejects(create(store, { domain: 'xn--e1afmkfd.xn--p1ai.' }, stranger()), NameTaken);
});

test('a name is derived from the title of the page and numbered if it is taken', async () => {
  const store = log();
  const process = startProcess(store);
  for (let n = 0; n < 80; n++) await process.commands.bind(createPage)({ name: 'Acme' }, aContext());
  const expected = ['acme', ...Array.from({ length: 79 }, (_, index) => `acme-${index + 2}`)];
  assert.equal([...(await pageOfEachName(store)).keys()], expected);
});

test('concurrently created pages derive different names, and each page keeps its name', async () => {
  const store = log();
  const process = startProcess(store);
  await Promise.all(Array.from({ length: 10 }, () => process.commands.bind(createPage)({ name: 'Acme' }, aContext())));
  assert.is((await pageOfEachName(store)).size, 10);
  assert.is((await pagesOf(store)).size, 10);
});

test('the first of two concurrent requests gets the page name', async () => {
  const store = log();
  const process = startProcess(store);
  const both = [aContext(), stranger()].map((context) =>
    process.commands.bind(createPage)({ name: 'Acme', subdomain: 'acme', domain: 'acme.example' }, context),
  );
  const [first, second] = await Promise.allSettled(both);
  assert.is(first?.status, 'fulfilled');
  assert.is(second?.status, 'rejected');
  assert.is((await pagesOf(store)).size, 1);
});

test('an invalid page claims no name', async () => {
  const store = log();
  await rejects(create(store, { subdomain: 'acme', time_zone: 'Mars' }), Invalid);
  const id = await create(store);
  await rejects(
    startProcess(store).commands.bind(updatePage)(id, { subdomain: 'b2', language: 'x' }, aContext()),
    Invalid,
  );
  assert.is((await store.readAll({ after: 0n, categories: ['reservation'] })).length, 1);
});

test('renaming or deleting a page releases its name', async () => {
  const store = log();
  const { bind } = startProcess(store).commands;
  const id = await create(store, { subdomain: 'acme', domain: 'a.example' });
  await bind(updatePage)(id, { subdomain: 'other', domain: 'b.example' }, aContext());
  const second = await create(store, { subdomain: 'acme', domain: 'a.example' }, stranger());
  assert.equal(Object.fromEntries(await pageOfEachName(store)), { other: id, acme: second });
  await bind(updatePage)(id, { domain: null }, aContext());
  await bind(deletePage)(id, aContext());
  const third = await create(store, { subdomain: 'other', domain: 'b.example' }, stranger());
  assert.is((await pageOfEachName(store)).get('other'), third);
  assert.is((await pageOfEachName(store, 'domain')).get('b.example'), third);
});

test('a page can release its name and claim it again', async () => {
  const store = log();
  const { bind } = startProcess(store).commands;
  const id = await create(store, { subdomain: 'acme' });
  for (const subdomain of ['other', 'acme', 'other']) await bind(updatePage)(id, { subdomain }, aContext());
  assert.equal([...(await pageOfEachName(store)).keys()], ['other']);
});

test('a failed claim of a name leaves nothing claimed', async () => {
  const store = log();
  await create(store, { subdomain: 'acme' });
  await rejects(create(store, { subdomain: 'acme', domain: 'b.example' }, stranger()), NameTaken);
  await rejects(create(store, { name: 'B', domain: 'b.example', subdomain: 'acme' }, stranger()), NameTaken);
  const id = await create(store, { name: 'C', domain: 'b.example' });
  assert.is((await pageOfEachName(store, 'domain')).get('b.example'), id);
});

test('a page keeps its name when another field changes, and other organizations do not find the page', async () => {
  const store = log();
  const { bind } = startProcess(store).commands;
  const id = await create(store);
  await bind(updatePage)(id, { name: 'Renamed', subdomain: 'ACME' }, aContext());
  assert.is((await store.readAll({ after: 0n, categories: ['reservation'] })).length, 1);
  await rejects(bind(updatePage)(id, { name: 'Mine' }, stranger()), NotFound);
  await rejects(bind(deletePage)(id, stranger()), NotFound);
});

/** Runs a command in a process that dies at its n-th append, for each n, and then asserts the remaining state. */
const dyingAtEach = async (
  appends: number,
  prepare: (store: EventStore) => Promise<string>,
  command: (process: ReturnType<typeof startProcess>, prepared: string) => Promise<unknown>,
  afterwards: (store: EventStore, n: number, prepared: string) => Promise<void>,
): Promise<void> => {
  for (let n = 1; n <= appends; n++) {
    const store = log();
    const prepared = await prepare(store);
    await rejects(command(startProcess(dyingAtAppend(store, n)), prepared), ProcessDied);
    await afterwards(store, n, prepared);
    await pageOfEachName(store);
    await pageOfEachName(store, 'domain');
  }
  // The command has no further append, so the loop has covered all of them.
  const store = log();
  await command(startProcess(dyingAtAppend(store, appends + 1)), await prepare(store));
};

test('a name can be claimed again if the process that claimed it died before it created the page', async () => {
  const sent = { name: 'Acme', subdomain: 'acme', domain: 'acme.example' };
  await dyingAtEach(
    3,
    () => Promise.resolve(''),
    ({ commands }) => commands.bind(createPage)(sent, aContext({ commandId: 'the command', repeatable: true })),
    async (store, n) => {
      const again = aContext({ commandId: 'the command', repeatable: true });
      if (n === 3) {
        await rejects(create(store, sent, stranger()), NameTaken);
        assert.is(await create(store, sent, again), (await pageOfEachName(store)).get('acme'));
        assert.is((await pagesOf(store)).size, 1);
        return;
      }
      const id = await create(store, sent, stranger());
      assert.equal([...(await pageOfEachName(store))], [['acme', id]]);
      await rejects(create(store, sent, again), NameTaken);
    },
  );
});

test('a repeated command gets the name that it claimed although the first process died', async () => {
  const sent = { name: 'Acme', domain: 'acme.example' };
  await dyingAtEach(
    3,
    () => Promise.resolve(''),
    ({ commands }) => commands.bind(createPage)(sent, aContext({ commandId: 'the command', repeatable: true })),
    async (store) => {
      const id = await create(store, sent, aContext({ commandId: 'the command', repeatable: true }));
      assert.equal([...(await pageOfEachName(store))], [['acme', id]]);
      assert.equal([...(await pageOfEachName(store, 'domain'))], [['acme.example', id]]);
    },
  );
});

test('a derived name can be claimed again if the creating process died, and the repeated command gets another page', async () => {
  await dyingAtEach(
    2,
    () => Promise.resolve(''),
    ({ commands }) => commands.bind(createPage)({ name: 'Acme' }, aContext({ commandId: 'x', repeatable: true })),
    async (store, n) => {
      const next = await create(store, {}, stranger());
      const again = await create(store, {}, aContext({ commandId: 'x', repeatable: true }));
      const expected = n === 1 ? { acme: next, 'acme-2': again } : { acme: again, 'acme-2': next };
      assert.equal(Object.fromEntries(await pageOfEachName(store)), expected);
    },
  );
});

test('a name can be claimed although a process died while it was taking the name over from a dead process', async () => {
  await dyingAtEach(
    3,
    async (store) => {
      await rejects(create(dyingAtAppend(store, 1), { subdomain: 'acme' }), ProcessDied);
      return '';
    },
    ({ commands }) => commands.bind(createPage)({ name: 'Acme', subdomain: 'acme' }, stranger()),
    async (store, n) => {
      if (n === 3) return rejects(create(store, { subdomain: 'acme' }), NameTaken);
      const id = await create(store, { subdomain: 'acme' });
      assert.is((await pageOfEachName(store)).get('acme'), id);
    },
  );
});

test('after a process died while it was renaming a page, the new name is free if the page was not changed, and otherwise the previous name is free', async () => {
  await dyingAtEach(
    3,
    (store) => create(store, { subdomain: 'old' }),
    ({ commands }, id) => commands.bind(updatePage)(id, { subdomain: 'new' }, aContext()),
    async (store, n, id) => {
      const [reserved, free] = n === 1 ? ['old', 'new'] : ['new', 'old'];
      await rejects(create(store, { subdomain: reserved }, stranger()), NameTaken);
      const next = await create(store, { subdomain: free }, stranger());
      assert.equal(Object.fromEntries(await pageOfEachName(store)), { [reserved]: id, [free]: next });
      await rejects(startProcess(store).commands.bind(updatePage)(id, { subdomain: free }, aContext()), NameTaken);
    },
  );
});

test('the name of a deleted page can be claimed, whatever the step at which the deletion stopped', async () => {
  await dyingAtEach(
    3,
    (store) => create(store, { subdomain: 'acme', domain: 'acme.example' }),
    ({ commands }, id) => commands.bind(deletePage)(id, aContext()),
    async (store) => {
      const next = await create(store, { subdomain: 'acme', domain: 'acme.example' }, stranger());
      assert.equal([...(await pageOfEachName(store))], [['acme', next]]);
      assert.equal([...(await pageOfEachName(store, 'domain'))], [['acme.example', next]]);
    },
  );
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPage, deletePage, updatePage } from '../../../commands/pages/pages.ts';
import { NameTaken } from '../../../commands/reservations/reservations.ts';
import { Conflict, NotFound } from '../../../domain/errors.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';
import { pageOfEachName, pagesOf } from '../page-names-of-log.ts';
import { aContext, withRandomDelays, delayedBefore, randomFrom, startProcess } from '../simulated-processes.ts';
import { eventually } from '../../waiting.ts';

const test = suite('two processes that claim one page name');

const log = (): EventStore => createMemoryEventStore('main');
const stranger = () => aContext({ organizationId: 'org000000002' });

/**
 * Lets another process take the name of a page whose process is only slow. The other process can't distinguish the slow
 * process from a dead one.
 */
const takenMeanwhile = (store: EventStore, taken: (id: string) => void) => async (): Promise<void> => {
  taken(await startProcess(store).commands.bind(createPage)({ name: 'Quick', subdomain: 'acme' }, stranger()));
};

test('a page name goes to the fast process if the first creator is slow', async () => {
  const store = log();
  let quick = '';
  const slow = startProcess(
    delayedBefore(
      store,
      'PageCreated',
      takenMeanwhile(store, (id) => (quick = id)),
    ),
  );
  await rejects(slow.commands.bind(createPage)({ name: 'Slow', subdomain: 'acme' }, aContext()), NameTaken);
  assert.equal([...(await pageOfEachName(store))], [['acme', quick]]);
});

test('a page name goes to the fast process, and the slow process gets another derived name if it requested no name', async () => {
  const store = log();
  let quick = '';
  const slow = startProcess(
    delayedBefore(
      store,
      'PageCreated',
      takenMeanwhile(store, (id) => (quick = id)),
    ),
  );
  const id = await slow.commands.bind(createPage)({ name: 'Acme' }, aContext());
  assert.equal(Object.fromEntries(await pageOfEachName(store)), { acme: quick, 'acme-2': id });
});

test('a page name goes to the fast process if a renaming is slow', async () => {
  const store = log();
  let quick = '';
  const id = await startProcess(store).commands.bind(createPage)({ name: 'Slow', subdomain: 'old' }, aContext());
  const slow = startProcess(
    delayedBefore(
      store,
      'PageUpdated',
      takenMeanwhile(store, (taken) => (quick = taken)),
    ),
  );
  await rejects(slow.commands.bind(updatePage)(id, { subdomain: 'acme' }, aContext()), NameTaken);
  assert.equal(Object.fromEntries(await pageOfEachName(store)), { acme: quick, old: id });
});

test('a page name stays with the first process if the second process is slow to close the first claim', async () => {
  for (const rename of [false, true]) {
    const store = log();
    const first = startProcess(store).commands;
    const old = await first.bind(createPage)({ name: 'First', subdomain: 'old' }, aContext());
    const want = (process: ReturnType<typeof startProcess>) =>
      rename
        ? process.commands.bind(updatePage)(old, { subdomain: 'acme' }, aContext())
        : process.commands.bind(createPage)({ name: 'First', subdomain: 'acme' }, aContext());
    const closing = rename ? 'SubdomainChangeAbandoned' : 'PageCreationAbandoned';
    let goOn = (): void => undefined;
    const goneOn = new Promise<void>((resolve) => (goOn = resolve));
    let second: Promise<unknown> = Promise.resolve();
    // The second process reads the claim of the first process and is delayed. Then the first process creates its page.
    const slow = startProcess(delayedBefore(store, closing, () => goneOn));
    const firstWants = startProcess(
      delayedBefore(store, rename ? 'PageUpdated' : 'PageCreated', async () => {
        second = slow.commands.bind(createPage)({ name: 'Second', subdomain: 'acme' }, stranger());
        for (let ticks = 0; ticks < 20; ticks++) await new Promise((resolve) => setImmediate(resolve));
      }),
    );
    await want(firstWants);
    goOn();
    await rejects(second, NameTaken);
    assert.ok((await pageOfEachName(store)).has('acme'));
  }
});

test('a page name goes to a process that claims it again if the process that closed its claim is slow', async () => {
  const store = log();
  const id = await startProcess(store).commands.bind(createPage)({ name: 'First', subdomain: 'old' }, aContext());
  // A renaming claims the name. The second process closes that claim, and the renaming continues before the second
  // claims.
  let goOn = (): void => undefined;
  const goneOn = new Promise<void>((resolve) => (goOn = resolve));
  let second: Promise<unknown> = Promise.resolve();
  const slow = startProcess(delayedBefore(store, 'NameReserved', () => goneOn));
  const first = startProcess(
    delayedBefore(store, 'PageUpdated', async () => {
      second = slow.commands.bind(createPage)({ name: 'Second', subdomain: 'acme' }, stranger());
      await eventually(async () =>
        (await store.readStream(`page-${id}`)).some(({ type }) => type === 'SubdomainChangeAbandoned'),
      );
    }),
  );
  await first.commands.bind(updatePage)(id, { subdomain: 'acme' }, aContext());
  goOn();
  await rejects(second, NameTaken);
  assert.equal([...(await pageOfEachName(store))], [['acme', id]]);
});

test('two processes never both get the same page name, in any order of steps', async () => {
  let created = 0;
  for (let seed = 1; seed <= 25; seed++) {
    const store = log();
    const random = randomFrom(seed);
    const first = await startProcess(store).commands.bind(createPage)({ name: 'One', subdomain: 'one' }, aContext());
    const second = await startProcess(store).commands.bind(createPage)({ name: 'Two', subdomain: 'two' }, stranger());
    const pace = () => startProcess(withRandomDelays(store, random)).commands.bind;
    const [a, b, c, d] = [pace(), pace(), pace(), pace()];
    const outcomes = await Promise.allSettled([
      a(createPage)({ name: 'New', subdomain: 'acme', domain: 'acme.example' }, aContext()),
      b(createPage)({ name: 'New', subdomain: 'acme', domain: 'acme.example' }, stranger()),
      c(createPage)({ name: 'Acme' }, stranger()),
      a(updatePage)(first, { subdomain: 'acme' }, aContext()).then(() =>
        a(updatePage)(first, { subdomain: 'one' }, aContext()),
      ),
      c(updatePage)(first, { subdomain: 'acme', domain: 'acme.example' }, aContext()),
      d(updatePage)(second, { subdomain: 'one' }, stranger()),
      b(updatePage)(second, { subdomain: 'acme' }, stranger()).then(() => b(deletePage)(second, stranger())),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      const refused: unknown = outcome.reason;
      // One of the pages is deleted while another process renames it.
      assert.ok(refused instanceof Conflict || refused instanceof NotFound, String(refused));
    }
    await pageOfEachName(store);
    await pageOfEachName(store, 'domain');
    created += [...(await pagesOf(store)).values()].filter(({ status }) => status === 'active').length;

    // Every name that no page has can be claimed.
    for (const subdomain of ['one', 'two', 'acme']) {
      if ((await pageOfEachName(store)).has(subdomain)) continue;
      await startProcess(store).commands.bind(createPage)({ name: 'Left', subdomain }, stranger());
    }
  }
  assert.ok(created > 50, 'most commands succeed');
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrganization } from '../../../../commands/organizations/organizations.ts';
import { createPage } from '../../../../commands/pages/pages.ts';
import { Forbidden } from '../../../../domain/errors.ts';
import { plansOf } from '../../../../domain/organization/plans.ts';
import { pagesOf } from '../../../commands/page-names-of-log.ts';
import { aContext, startProcess } from '../../../commands/simulated-processes.ts';
import { laggingUsageOf } from '../../../commands/late-usage.ts';
import { FREE } from '../../../payments.ts';
import { openMain, openServer } from './opened.ts';

const test = suite('limits of a plan on an EventStoreDB');

test('two processes that create pages concurrently on an EventStoreDB do not exceed the limit of their plan together', async () => {
  const server = await openServer();
  const { store, again, dispose } = await openMain(server);
  assert.ok(again);
  try {
    const plans = plansOf([{ ...FREE, limits: { ...FREE.limits, pages: 3 } }], FREE.id);
    await startProcess(store).commands.bind(createOrganization)({ name: 'Acme' }, aContext());
    const processes = [store, await again()].map(
      (log) => startProcess(log, { plans, usage: laggingUsageOf(log) }).commands.bind,
    );
    const tries = processes.flatMap((ask, process) =>
      Array.from({ length: 6 }, (_, page) => ask(createPage)({ name: `Page ${process}-${page}` }, aContext())),
    );
    for (const outcome of await Promise.allSettled(tries)) {
      if (outcome.status === 'rejected') assert.instance(outcome.reason, Forbidden);
    }
    const there = [...(await pagesOf(store)).values()].filter(({ status }) => status === 'active');
    assert.is(there.length, 3);
  } finally {
    await dispose();
    await server.close();
  }
});

test.run();

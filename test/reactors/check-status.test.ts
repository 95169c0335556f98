import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../commands/engine/handle.ts';
import { decideCheckStatus, statusLogLine, type StatusChange, type VerdictItem } from '../../reactors/check-status.ts';
import { createCheck } from '../../domain/check/decide.ts';
import { checkDecider } from '../../domain/check/state.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { CHECK, LATER_SLOT, newCheck, ORGANIZATION, verdict } from '../domain/check/examples.ts';
import { aContext } from '../commands/simulated-processes.ts';

const status = suite('the check-status reactor');
const NOW = Date.UTC(2026, 10, 20, 16);
const LATER = '2026-11-20T15:01:31.000000';

const item = (fields: Partial<VerdictItem> = {}): VerdictItem => ({
  ...verdict(),
  id: CHECK,
  organization_id: ORGANIZATION,
  changed_position: 10,
  ...fields,
});

const staged = async () => {
  const store = createMemoryEventStore('main');
  const fresh = () => decideCheckStatus({ handle: createHandle({ store, clock: () => NOW }), clock: () => NOW });
  const context = aContext({ organizationId: ORGANIZATION });
  await createHandle({ store, clock: () => NOW })(
    CHECK,
    checkDecider,
    (check) => createCheck(check, CHECK, ORGANIZATION, newCheck()),
    context,
  );
  return {
    store,
    decide: fresh(),
    /** creates a reactor without cached state, as after a restart */
    fresh,
    types: async () => (await store.readStream(`check-${CHECK}`)).map(({ type }) => type).slice(1),
    last: async () => (await store.readStream(`check-${CHECK}`)).at(-1),
  };
};

const bad = (fields: Partial<VerdictItem> = {}) => item({ good: false, error_message: 'It is down.', ...fields });

status('a check comes up, goes down and recovers, with the reactor as actor and the run as command id', async () => {
  const { decide, types, last } = await staged();
  await decide(item());
  await decide(bad({ slot: LATER_SLOT, at: LATER, run_id: 'run000000002' }));
  const down = await last();
  assert.is(down?.metadata.command_id, 'run000000002');
  assert.equal(down?.metadata.actor, { kind: 'system', id: 'check-status', role: null });
  assert.is(down?.metadata.organization_id, ORGANIZATION);
  await decide(item({ slot: '2026-11-20T15:02:30.000000', at: '2026-11-20T15:02:31.000000', run_id: 'run000000003' }));
  assert.equal(await types(), ['CheckCameUp', 'CheckWentDown', 'CheckRecovered']);
});

status('a verdict changes a check once, even after a restart', async () => {
  const { decide, fresh, types } = await staged();
  await decide(item());
  await decide(item());
  await fresh()(item());
  assert.equal(await types(), ['CheckCameUp']);
});

status('an older verdict that is repeated after a newer one changes nothing', async () => {
  const { decide, fresh, types } = await staged();
  await decide(item());
  await decide(bad({ slot: LATER_SLOT, at: LATER, run_id: 'run000000002' }));
  await fresh()(item());
  assert.equal(await types(), ['CheckCameUp', 'CheckWentDown']);
});

status('verdicts of a missing check and of a check of another organization are skipped', async () => {
  const { decide, types } = await staged();
  await decide(item({ id: 'check0000009', check_id: 'check0000009' }));
  await decide(item({ organization_id: 'org000000002' }));
  assert.equal(await types(), []);
});

status('each change of status is reported once, with the name of the check', async () => {
  const { store } = await staged();
  const reported: string[] = [];
  const tell = () =>
    decideCheckStatus({
      handle: createHandle({ store, clock: () => NOW }),
      clock: () => NOW,
      changed: ({ event, name }) => reported.push(`${event.type} ${name}`),
    });
  const decide = tell();
  await decide(item());
  await decide(item());
  await decide(bad({ slot: LATER_SLOT, at: LATER, run_id: 'run000000002' }));
  await tell()(bad({ slot: LATER_SLOT, at: LATER, run_id: 'run000000002' }));
  assert.equal(reported, ['CheckCameUp Shop', 'CheckWentDown Shop']);
});

status('the log line of a status change contains the name of the check and the reason', () => {
  const lines: string[] = [];
  const log = (change: StatusChange): void => {
    const [level, fields, line] = statusLogLine(change);
    lines.push(`${level} ${line} ${JSON.stringify(fields)}`);
  };
  const data = {
    check_id: 'check0000001',
    result_id: 'result000001',
    run_id: 'run000000001',
    slot: '2026-11-20T15:00:00.000000',
    region: 'EU, West',
    at: '2026-11-20T15:00:00.000000',
  };
  const error_message = 'Connection refused by 127.0.0.1:81.';
  log({ name: 'Shop', event: { type: 'CheckCameUp', data } });
  log({ name: 'Shop', event: { type: 'CheckWentDown', data: { ...data, error_message } } });
  log({ name: 'Shop', event: { type: 'CheckRecovered', data } });
  const fields = '{"checkId":"check0000001","region":"EU, West","resultId":"result000001"}';
  assert.equal(lines, [
    `info Check "Shop" came up. ${fields}`,
    `warn Check "Shop" went down: Connection refused by 127.0.0.1:81. ${fields}`,
    `info Check "Shop" recovered. ${fields}`,
  ]);
});

status.run();

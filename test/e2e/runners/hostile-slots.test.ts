import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextSlot } from '../../../runners/scheduler/slots.ts';
import { closeServers } from '../../probes/web/servers.ts';
import { eventually } from '../../waiting.ts';
import { createCheck } from '../checking.ts';
import { callApiExpecting, endPrograms } from '../program.ts';
import { connectHostile, outcomeWith } from './hostile-runner.ts';
import { onHostileStage } from './hostile-stage.ts';
import { createShopCheck, storedResults } from './remote.ts';
import { HOUR_MS } from '../../../domain/time.ts';

/** A URL at which no server listens. */
const NOWHERE = 'http://127.0.0.1:9/';

const test = suite('a hostile runner');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'a hostile runner cannot store a run for a slot or a region in which the check was not due',
  onHostileStage(async ({ service, foreign, key }) => {
    const runner = await connectHostile(service, foreign.token, 'one');
    const check = await createCheck(service, key, { ...createShopCheck(foreign.region, NOWHERE), interval: 30 });
    const first = await eventually(() => runner.runs()[0]);
    const outcome = outcomeWith();
    assert.equal(
      await runner.reportJudged({ results: [{ delivery: first.delivery, ticket: first.ticket, age_ms: 0, outcome }] }),
      [null],
    );
    const { ticket, slot } = await eventually(() => runner.runs().find(({ schedule }) => schedule !== null), {
      within: 90_000,
      what: 'a scheduled run',
    });
    const due = nextSlot(check.id, 30, slot);
    const offline = (at: number, ended = at): object => ({ ticket, slot: at, ended_at: ended, outcome });
    assert.equal(
      await runner.reportJudged({
        offline: [
          offline(slot),
          offline(due + 1),
          offline(due - 1),
          offline(due - 30_000 * 60 * 24 * 365),
          offline(nextSlot(check.id, 30, Date.now() + HOUR_MS)),
          offline(nextSlot(check.id, 30, 8e15 / 10)),
          offline(0),
        ],
      }),
      [
        'The check was not due then.',
        'The check was not due then.',
        'The check was not due then.',
        'The check was not due then.',
        'The run is in the future.',
        'The run is in the future.',
        'The check was not due then.',
      ],
    );
    // The check is moved to another region, so its former region may not report later runs.
    await callApiExpecting(service, key, 200, 'PATCH', check.path, { parameters: { regions: ['EU, West'] } });
    const past = await eventually(() => (Date.now() > due + 1_000 ? due : false), {
      within: 90_000,
      what: 'a slot passes',
    });
    assert.equal(await runner.reportJudged({ offline: [offline(past)] }), [
      'The check did not run in this region then.',
    ]);
    const stored = await storedResults(service, `check_id=${check.id}`, key);
    assert.is(stored.filter(({ region }) => region === foreign.region).length, 1);
  }),
);

test.run();

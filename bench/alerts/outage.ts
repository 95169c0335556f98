/**
 * Measures a mass outage, in which all checks go down together: the time from the first read of the reactor's list
 * until the events of all checks are durable.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandContext } from '../../commands/engine/context.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { CHECK_STATUS, decideCheckStatus, type VerdictItem } from '../../reactors/check-status.ts';
import { createChangeWork } from '../../reactors/engine/changes.ts';
import type { ChangeList } from '../../reactors/engine/lists.ts';
import { createCheck } from '../../domain/check/decide.ts';
import { checkDecider } from '../../domain/check/state.ts';
import { derivedId } from '../../domain/identity.ts';
import { instantOf } from '../../domain/time.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { sizeOf } from '../tools/sizes.ts';
import { perSecond, type Row } from '../tools/table.ts';

const CHECKS = sizeOf('OUTAGE_CHECKS', 10_000);
const ORGANIZATION = 'org000000001';

const ids = Array.from({ length: CHECKS }, (_, index) => derivedId(`check ${index}`));

const item = (id: string, index: number): VerdictItem => ({
  id,
  check_id: id,
  organization_id: ORGANIZATION,
  good: false,
  result_id: derivedId(`result of ${id}`),
  run_id: derivedId(`run of ${id}`),
  slot: instantOf(Date.now()),
  region: 'RU, Moscow',
  at: instantOf(Date.now()),
  error_message: 'Connection refused by 127.0.0.1:81.',
  changed_position: index + 1,
});

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const file = await openSqliteEventStore({ file: join(folder, 'events.db'), name: 'main', mode: 'service' });
  try {
    const store = createCheckedStore(file);
    const creating = createHandle({ store, clock: Date.now });
    await Promise.all(
      ids.map((id) => {
        const context = commandContext({
          actor: { kind: 'system', id: 'bench', role: null },
          organizationId: ORGANIZATION,
          correlationId: id,
          commandId: `create ${id}`,
          repeatable: false,
          now: instantOf(Date.now()),
        });
        const definition = { name: 'Shop', type: 'web', active: true, interval: 60, timeout: 10 } as const;
        const place = { host: null, url: 'https://shop.example/', port: null, parameters: {} };
        return creating(
          id,
          checkDecider,
          (check) => createCheck(check, id, ORGANIZATION, { ...definition, ...place }),
          context,
        );
      }),
    );
    const items = ids.map(item);
    const list: ChangeList<VerdictItem> = {
      changedBetween: async (after, upTo, limit) => items.slice(after, Math.min(upTo, after + limit)),
      find: async () => [],
      countAfter: async (position) => items.length - position,
    };
    // This instance has no cached streams. So it has to read the checks, as in production.
    const decide = decideCheckStatus({ handle: createHandle({ store, clock: Date.now }), clock: Date.now });
    const work = createChangeWork(CHECK_STATUS, { folded: () => CHECKS }, list, decide);
    await work.begin({
      checkpoint: { activated: 0, handled: 0 },
      failed: { pages: async function* () {}, keep: async () => undefined, release: async () => undefined },
      clock: Date.now,
      log: (_, message, fields) => {
        console.error(message, fields);
      },
      signal: new AbortController().signal,
      wake: () => undefined,
    });
    const started = performance.now();
    await work.round(Date.now());
    await work.idle();
    const milliseconds = performance.now() - started;
    const what = `checks that go down together, ${CHECKS.toLocaleString('en')} of them, durable`;
    return [{ what, figure: `${perSecond(CHECKS, milliseconds)}, all after ${(milliseconds / 1_000).toFixed(1)} s` }];
  } finally {
    await file.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

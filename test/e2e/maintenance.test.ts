import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Incident } from '../../api/v1/incidents/schema.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { shiftedClock, skippedWithoutFaketime } from './faketime.ts';
import { createMaintenance, readTransitions, type PlannedMaintenance } from './maintenances.ts';
import { callApi, endPrograms, serve, uptrail, type RunningProgram } from './program.ts';
import { eventually, realPause } from '../waiting.ts';
import { HOUR_SECONDS } from '../../domain/time.ts';

/** Formats a time in the format of the API. */
const instant = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, -1)}000`;

const keyIn = (folder: string): string => readFileSync(join(folder, 'admin-api-key'), 'utf8').trim();

const specifications = (): void => {
  const test = suite('maintenances of a running service');
  test.after.each(endPrograms);

  test(
    'maintenances of a stopped service proceed automatically after its next start, and show their planned times',
    inTemporaryFolder(async (DATA_DIR) => {
      const program = await serve({ DATA_DIR });
      const key = keyIn(DATA_DIR);
      const start = Math.floor(Date.now() / 1_000) * 1_000 + HOUR_SECONDS * 1_000;
      const planned: PlannedMaintenance = {
        scheduled_for: instant(start),
        scheduled_until: instant(start + HOUR_SECONDS * 1_000),
        scheduled_remind_prior: true,
        reminder_intervals: '50m, 10m',
        auto_transition_deliver_notifications_at_start: true,
      };
      const both = await createMaintenance(program, key, planned);
      const later = await createMaintenance(program, key, {
        ...planned,
        scheduled_for: instant(start + 6 * HOUR_SECONDS * 1_000),
        scheduled_until: instant(start + 7 * HOUR_SECONDS * 1_000),
        reminder_intervals: '1d, 3h, 2h, 1h',
      });
      await program.end('SIGKILL');

      // The new process starts five and a half hours later, an hour and a half before the second maintenance.
      const after = await serve({ DATA_DIR, ...shiftedClock(5.5 * HOUR_SECONDS) });
      const completed = await both.reaches(after, 'completed');
      assert.equal([completed.resolved_at, completed.updated_at], [planned.scheduled_until, planned.scheduled_until]);
      assert.is(completed.scheduled_reminded_at, null, 'it was over');
      assert.is(completed.incident_updates.length, 1);
      assert.is((await both.component(after)).status, 'operational');
      const shown = async (status: string): Promise<string[]> => {
        const { body } = await callApi(after, key, 'GET', `${both.incidents}/maintenance?status=${status}`);
        return (body as Incident[]).map(({ id }) => id);
      };
      assert.equal([await shown('scheduled'), await shown('completed')], [[], [both.id]]);

      await eventually(async () => (await later.get(after)).scheduled_reminded_at !== null, { within: 60_000 });
      const moves = await readTransitions({ DATA_DIR });
      assert.equal(moves.get(later.id), ['MaintenanceReminded 2h']);
      assert.equal(moves.get(both.id), [
        'MaintenanceReminderMissed 10m',
        `in_progress ${planned.scheduled_for} true`,
        `completed ${planned.scheduled_until} false`,
      ]);

      const { body: audit } = await callApi(after, key, 'GET', `/v1/audit?resource_id=${both.id}`);
      const { audit_logs } = audit as { audit_logs: { action: string; actor_type: string; actor_id: string }[] };
      const byClock = audit_logs.filter((one) => one.actor_type === 'system' && one.actor_id === 'maintenance');
      assert.equal(byClock.map(({ action }) => action).sort(), [
        'incident.reminder_missed',
        'incident.updated',
        'incident.updated',
      ]);
      const { body: uptime } = await callApi(after, key, 'GET', `${both.page}/components/${both.componentId}/uptime`);
      const { uptime_percentage, major_outage, related_events } = uptime as {
        uptime_percentage: number;
        major_outage: number;
        related_events: { id: string[] };
      };
      assert.equal([uptime_percentage, major_outage, related_events.id], [100, 0, [both.id]]);

      const history = await uptrail({ DATA_DIR }, 'history', 'incident', both.id);
      assert.match(
        history.stdout,
        /scheduled → in_progress[^]*by the system \(maintenance\)[^]*in_progress → completed/,
      );
      await after.end('SIGTERM');
      const verified = await uptrail({ DATA_DIR }, 'rebuild', '--all', '--verify');
      assert.is(verified.code, 0, verified.stdout + verified.stderr);
    }),
  );

  test(
    'maintenances start and end once, although the service is killed and restarted at these times',
    inTemporaryFolder(async (DATA_DIR) => {
      let program: RunningProgram = await serve({ DATA_DIR });
      const key = keyIn(DATA_DIR);
      const start = Date.now() + 3_000;
      const kinds = Array.from({ length: 12 }, (_, index) => ({
        scheduled_for: instant(start + index * 150),
        scheduled_until: instant(start + index * 150 + 1_500),
      }));
      const all = await Promise.all(kinds.map((times) => createMaintenance(program, key, times)));
      for (let kills = 0; kills < 2; kills++) {
        await realPause(
          Math.max(0, start + 200 + kills * 1_100 - Date.now()),
          'maintenances begin by the clock of the program',
        );
        await program.end('SIGKILL');
        program = await serve({ DATA_DIR });
      }
      for (const one of all) await one.reaches(program, 'completed');
      const moves = await readTransitions({ DATA_DIR });
      for (const [index, { id, get }] of all.entries()) {
        // On a busy machine a maintenance may be created after its planned start. In this case it starts immediately.
        const { created_at: planned } = await get(program);
        const at = (scheduled = ''): string => (scheduled > planned ? scheduled : planned);
        assert.equal(moves.get(id), [
          `in_progress ${at(kinds[index]?.scheduled_for)} false`,
          `completed ${at(kinds[index]?.scheduled_until)} false`,
        ]);
      }
      assert.is((await program.end('SIGTERM')).code, 0);
    }),
  );

  test.run();
};

if (!skippedWithoutFaketime()) specifications();

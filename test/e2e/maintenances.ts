import * as assert from 'uvu/assert';
import type { Component } from '../../api/v1/components/schema.ts';
import type { Incident } from '../../api/v1/incidents/schema.ts';
import { callApi, uptrail, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

/** Time limit for due changes on a busy machine, in milliseconds. */
const PATIENCE_MS = 180_000;

export interface PlannedMaintenance {
  scheduled_for: string;
  scheduled_until: string;
  scheduled_remind_prior?: boolean;
  reminder_intervals?: string;
  auto_transition_deliver_notifications_at_start?: boolean;
  deliver_notifications?: boolean;
}

/**
 * Creates a maintenance of a component, which starts and ends automatically.
 *
 * @param on path of the page; by default a new page
 */
export const createMaintenance = async (
  program: RunningProgram,
  key: string,
  planned: PlannedMaintenance,
  on?: string,
) => {
  const post = async (path: string, body: object): Promise<string> => {
    const response = await callApi(program, key, 'POST', path, body);
    assert.ok(response.status < 300, JSON.stringify(response.body));
    return (response.body as { id: string }).id;
  };
  const page = on ?? `/v1/pages/${await post('/v1/pages', { name: 'Acme' })}`;
  const componentId = await post(`${page}/components`, { name: 'API' });
  const incidents = `${page}/incidents`;
  const id = await post(incidents, {
    name: 'New disks',
    body: 'We put new disks in.',
    status: 'scheduled',
    components: { [componentId]: 'under_maintenance' },
    scheduled_auto_in_progress: true,
    scheduled_auto_completed: true,
    auto_transition_to_maintenance_state: true,
    auto_transition_to_operational_state: true,
    ...planned,
  });
  const get = async (from: RunningProgram): Promise<Incident> =>
    (await callApi(from, key, 'GET', `${incidents}/${id}`)).body as Incident;
  return {
    id,
    page,
    incidents,
    componentId,
    get,
    component: async (from: RunningProgram): Promise<Component> =>
      (await callApi(from, key, 'GET', `${page}/components/${componentId}`)).body as Component,
    /** Waits until the maintenance has a status, with a time limit. */
    reaches: (from: RunningProgram, status: Incident['status']): Promise<Incident> =>
      eventually(
        async () => {
          const incident = await get(from);
          assert.is(incident.status, status);
          return incident;
        },
        { within: PATIENCE_MS, what: `the maintenance is ${status}` },
      ),
  };
};

/** Reads the status changes and reminders of maintenances from the log, by maintenance id. */
export const readTransitions = async (environment: Record<string, string>): Promise<Map<string, string[]>> => {
  const types = ['IncidentStatusChanged', 'MaintenanceReminded', 'MaintenanceReminderMissed'];
  const { stdout } = await uptrail(environment, 'replay', ...types.flatMap((type) => ['--type', type]));
  const moves = new Map<string, string[]>();
  for (const line of stdout.trim().split('\n')) {
    const { type, data } = JSON.parse(line) as { type: string; data: Record<string, unknown> };
    const { status } = (data['changes'] ?? {}) as { status?: string };
    const move = status
      ? `${status} ${String(data['changed_at'])} ${String(data['deliver_notifications'])}`
      : `${type} ${String(data['offset'])}`;
    const id = String(data['incident_id']);
    moves.set(id, [...(moves.get(id) ?? []), move]);
  }
  return moves;
};

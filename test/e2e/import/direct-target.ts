import type { Configuration, Reference } from '../../../cli/configuration/model.ts';
import { callApiExpecting, type RunningProgram } from '../program.ts';

interface Created {
  id: string;
}

/** Creates the objects of a configuration with one request for each, in an empty service. */
export const createAll = async (
  program: RunningProgram,
  key: string,
  { check_groups = [], checks = [], channels = [], rules = [], heartbeats = [], pages = [] }: Configuration,
): Promise<void> => {
  const post = async (path: string, body: object, status = 201): Promise<string> =>
    (await callApiExpecting<Created>(program, key, status, 'POST', path, body)).id;
  const groupIds = new Map<string, string>();
  for (const group of check_groups) groupIds.set(group.name, await post('/v1/check-groups', group));
  const checkIds = new Map<string, string>();
  const keyOf = (reference: Reference): string =>
    typeof reference === 'string'
      ? JSON.stringify([null, reference])
      : JSON.stringify([reference.group, reference.name]);
  for (const { group, ...check } of checks) {
    const id = await post('/v1/checks', { ...check, group_id: groupIds.get(group ?? '') ?? null });
    checkIds.set(JSON.stringify([group ?? null, check.name]), id);
  }
  const channelIds = new Map<string, string>();
  for (const channel of channels) channelIds.set(channel.name, await post('/v1/alerts/channels', channel));
  const idsOf = (names: readonly string[]) => names.map((name) => channelIds.get(name));
  for (const { check, channels: names, ...rule } of rules) {
    await post('/v1/alerts/rules', {
      ...rule,
      channel_ids: idsOf(names),
      ...(check !== undefined && check !== null && { check_id: checkIds.get(keyOf(check)) }),
    });
  }
  for (const { channels: names = [], ...heartbeat } of heartbeats) {
    const id = await post('/v1/heartbeats', heartbeat);
    if (names.length > 0) await post(`/v1/heartbeats/${id}/channels`, { channel_ids: idsOf(names) }, 200);
  }
  for (const { component_groups = [], components = [], ...page } of pages) {
    const id = await post('/v1/pages', page, 200);
    const ids = new Map<string, string>();
    for (const group of component_groups) ids.set(group.name, await post(`/v1/pages/${id}/component-groups`, group));
    for (const { group, check, ...component } of components) {
      await post(`/v1/pages/${id}/components`, {
        ...component,
        group_id: ids.get(group ?? '') ?? null,
        ...(check !== undefined && check !== null && { check_id: checkIds.get(keyOf(check)) }),
      });
    }
  }
};

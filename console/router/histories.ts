import { match } from './match.ts';

/** The history from which a screen shows past states. */
export type ScreenHistory =
  /** a resource with its own history. `resource`: its path in the API, such as `v1/checks/x4w8b2h7t1zq` */
  | { kind: 'resource'; resource: string }
  /** a list. `types`: types of the listed resources in the audit log */
  | { kind: 'list'; resource: string; types: readonly string[] };

/** The screens that show one resource, with the path of the resource in the API. */
const OF_RESOURCES: Readonly<Record<string, string>> = {
  '/checks/{check_id}': 'v1/checks/{check_id}',
  '/groups/{group_id}': 'v1/check-groups/{group_id}',
  '/heartbeats/{heartbeat_id}': 'v1/heartbeats/{heartbeat_id}',
  '/alerts/{alert_id}': 'v1/alerts/{alert_id}',
  '/alerts/rules/{rule_id}': 'v1/alerts/rules/{rule_id}',
  '/alerts/channels/{channel_id}': 'v1/alerts/channels/{channel_id}',
  '/pages/{page_id}': 'v1/pages/{page_id}',
  '/pages/{page_id}/{tab}': 'v1/pages/{page_id}',
  '/pages/{page_id}/incidents/{incident_id}': 'v1/pages/{page_id}/incidents/{incident_id}',
  '/incident-templates/{template_id}': 'v1/incident-templates/{template_id}',
  '/reports/{report_id}': 'v1/reports/{report_id}',
};

/** The screens that show a list without a history of its own, with the types of the listed resources. */
const OF_LISTS: Readonly<Record<string, readonly string[]>> = {
  '/people': ['user'],
  '/groups': ['check_group'],
  '/alerts/rules': ['alert_rule', 'alert_channel'],
  '/alerts/channels': ['alert_channel'],
};

const ID = /^[a-z0-9]{12}$/;

/** Returns the history of the screen at a path. Returns null if the screen shows no past states. */
export const historyAt = (path: string): ScreenHistory | null => {
  const types = OF_LISTS[path];
  if (types) return { kind: 'list', resource: path, types };
  for (const [pattern, resource] of Object.entries(OF_RESOURCES)) {
    const params = match(pattern, path);
    // Other screens have words in place of ids (`/checks/new`), and have no history.
    if (!params || Object.entries(params).some(([name, value]) => name.endsWith('_id') && !ID.test(value))) continue;
    return { kind: 'resource', resource: resource.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '') };
  }
  return null;
};

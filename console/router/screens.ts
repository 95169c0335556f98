import type { FunctionComponent } from 'preact';
import { match, type Params } from './match.ts';

/** The props of every screen: the parameters of its path. */
export interface ScreenProps {
  params: Params;
}

type Screen = FunctionComponent<ScreenProps>;

/**
 * What surrounds a screen. `shell`: the sidebar and the top bar. `nothing`: no frame. `gate`: no frame and no session
 * required.
 */
type Frame = 'shell' | 'nothing' | 'gate';

interface DeclaredScreen {
  /** path below the console's root */
  path: string;
  /** loads the screen's code when the screen is first opened */
  load: () => Promise<{ default: Screen }>;
  /** default: `shell` */
  frame?: Frame;
}

/** All screens by path; each is a folder in console/screens/. */
const SCREENS: readonly DeclaredScreen[] = [
  { path: '/', load: () => import('../screens/overview/overview.tsx') },
  { path: '/checks', load: () => import('../screens/checks/checks.tsx') },
  { path: '/checks/{check_id}', load: () => import('../screens/check/check.tsx') },
  { path: '/checks/new', load: () => import('../screens/check-form/check-form.tsx') },
  { path: '/checks/{check_id}/edit', load: () => import('../screens/check-form/check-form.tsx') },
  { path: '/secrets', load: () => import('../screens/secrets/secrets.tsx') },
  { path: '/runners', load: () => import('../screens/runners/runners.tsx') },
  { path: '/people', load: () => import('../screens/people/people.tsx') },
  { path: '/keys', load: () => import('../screens/keys/keys.tsx') },
  { path: '/audit', load: () => import('../screens/audit/audit.tsx') },
  { path: '/plan', load: () => import('../screens/plan/plan.tsx') },
  { path: '/usage', load: () => import('../screens/usage/usage.tsx') },
  { path: '/operator', load: () => import('../screens/operator/operator.tsx') },
  { path: '/profile', load: () => import('../screens/profile/profile.tsx') },
  { path: '/sessions', load: () => import('../screens/sessions/sessions.tsx') },
  { path: '/wall', frame: 'nothing', load: () => import('../screens/wall/wall.tsx') },
  { path: '/invitation', frame: 'gate', load: () => import('../screens/account-link/account-link.tsx') },
  { path: '/reset', frame: 'gate', load: () => import('../screens/account-link/account-link.tsx') },
  { path: '/forgotten', frame: 'gate', load: () => import('../screens/forgotten/forgotten.tsx') },
  { path: '/incidents', load: () => import('../screens/incidents/incidents.tsx') },
  { path: '/pages/{page_id}/incidents/new', load: () => import('../screens/incident/new-incident.tsx') },
  { path: '/pages/{page_id}/incidents/{incident_id}', load: () => import('../screens/incident/incident.tsx') },
  { path: '/maintenances', load: () => import('../screens/maintenances/maintenances.tsx') },
  { path: '/incident-templates', load: () => import('../screens/incident-templates/incident-templates.tsx') },
  { path: '/incident-templates/new', load: () => import('../screens/incident-templates/template.tsx') },
  {
    path: '/incident-templates/{incident_template_id}',
    load: () => import('../screens/incident-templates/template.tsx'),
  },
  { path: '/alerts', load: () => import('../screens/alerts/alerts.tsx') },
  { path: '/alerts/rules', load: () => import('../screens/alert-rules/rules.tsx') },
  { path: '/alerts/rules/new', load: () => import('../screens/alert-rules/rule.tsx') },
  { path: '/alerts/rules/{rule_id}', load: () => import('../screens/alert-rules/rule.tsx') },
  { path: '/alerts/channels', load: () => import('../screens/alert-channels/channels.tsx') },
  { path: '/alerts/channels/new', load: () => import('../screens/alert-channels/channel.tsx') },
  { path: '/alerts/channels/{channel_id}', load: () => import('../screens/alert-channels/channel.tsx') },
  { path: '/alerts/{alert_id}', load: () => import('../screens/alert/alert.tsx') },
  { path: '/heartbeats', load: () => import('../screens/heartbeats/heartbeats.tsx') },
  { path: '/heartbeats/new', load: () => import('../screens/heartbeat-form/heartbeat-form.tsx') },
  { path: '/heartbeats/{heartbeat_id}', load: () => import('../screens/heartbeat/heartbeat.tsx') },
  { path: '/heartbeats/{heartbeat_id}/edit', load: () => import('../screens/heartbeat-form/heartbeat-form.tsx') },
  { path: '/groups', load: () => import('../screens/groups/groups.tsx') },
  { path: '/groups/new', load: () => import('../screens/group/group.tsx') },
  { path: '/groups/{group_id}', load: () => import('../screens/group/group.tsx') },
  { path: '/tags', load: () => import('../screens/tags/tags.tsx') },
  { path: '/reports', load: () => import('../screens/reports/reports.tsx') },
  { path: '/reports/new', load: () => import('../screens/report-form/report-form.tsx') },
  { path: '/reports/{report_id}', load: () => import('../screens/report/report.tsx') },
  { path: '/pages', load: () => import('../screens/pages/pages.tsx') },
  { path: '/pages/new', load: () => import('../screens/pages/new-page.tsx') },
  { path: '/pages/{page_id}', load: () => import('../screens/page/page.tsx') },
  { path: '/pages/{page_id}/{tab}', load: () => import('../screens/page/page.tsx') },
];

/** Returns the frame of the screen at a path. */
export const frameAt = (path: string): Frame => screenAt(path)?.screen.frame ?? 'shell';

/** Starts to load the code of the screen at a path, while the console is still determining who is signed in. */
export const preloadScreen = (path: string): void => {
  // If loading fails, the component that shows the screen handles it.
  screenAt(path)
    ?.screen.load()
    .catch(() => undefined);
};

/**
 * Returns the screen at a path, with its parameters, or null if there is none. Literal segments take precedence over
 * parameters: `/checks/new` is not the check `new`.
 */
export const screenAt = (path: string): { screen: DeclaredScreen; params: Params } | null => {
  let found: { screen: DeclaredScreen; params: Params } | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const screen of SCREENS) {
    const params = match(screen.path, path);
    if (!params || Object.keys(params).length >= fewest) continue;
    fewest = Object.keys(params).length;
    found = { screen, params };
  }
  return found;
};

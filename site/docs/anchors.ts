/** Returns the singular of a word: `incidents` → `incident`, `statuses` → `status`, `categories` → `category`. */
const singular = (word: string): string => {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('uses')) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
};

const isParameter = (segment: string): boolean => segment.startsWith('{');
const slug = (segment: string): string => segment.replaceAll('_', '-').toLowerCase();

/** The verb in the anchor of an operation on a single resource, by HTTP method. */
const VERBS: Readonly<Record<string, string>> = { get: 'get', put: 'change', patch: 'change', delete: 'delete' };

/** Anchors of operations whose path does not describe the action. */
const NAMED: Readonly<Record<string, string>> = {
  'get /v1/pages/by-domain/{domain}': 'get-page-by-domain',
  'post /v1/pages/{page_id}/verify-password': 'verify-password',
  'post /v1/pages/{page_id}/components/uptime': 'get-uptime-of-components',
  'get /v1/pages/{page_id}/incidents/unresolved': 'list-unresolved-incidents',
  'get /v1/pages/{page_id}/incidents/maintenance': 'list-maintenances',
  'post /v1/pages/{page_id}/incidents/log-past-incident': 'log-past-incident',
  'post /v1/pages/{page_id}/preview': 'preview-page',
  'post /v1/pages/{page_id}/incidents/preview': 'preview-incident',
  'post /v1/pages/{page_id}/incidents/{incident_id}/incident_updates/preview': 'preview-incident-update',
  'get /v1/pages/{page_id}/incidents/{incident_id}/postmortem/preview/{preview_key}': 'preview-postmortem',
  'post /v1/pages/{page_id}/subscribers/{subscriber_id}/rotate-secret': 'rotate-secret',
  'post /v1/pages/{page_id}/email-domain/records': 'choose-email-domain',
  'get /v1/checks/{check_id}/results/export': 'export-results',
  'get /v1/checks/{check_id}/response-times': 'get-response-times',
  'get /v1/checks/status-history': 'get-status-history-of-all-checks',
  'post /v1/checks/execute': 'execute-definition',
  'get /v1/checks/{check_id}/secrets': 'list-secrets-of-check',
  'post /v1/checks/{check_id}/secrets': 'bind-secret',
  'put /v1/checks/{check_id}/secrets': 'replace-secrets-of-check',
  'delete /v1/checks/{check_id}/secrets/{secret_id}': 'release-secret',
  'get /v1/check-groups/{group_id}/checks': 'list-checks-of-group',
  'put /v1/checks/{check_id}/group': 'put-check-into-group',
  'get /v1/heartbeats/{heartbeat_key}/ping': 'ping',
  'get /v1/heartbeats/{heartbeat_key}/ping/start': 'ping-start',
  'get /v1/heartbeats/{heartbeat_key}/ping/fail': 'ping-fail',
  'get /v1/heartbeats/{heartbeat_key}/pings-count': 'count-pings',
  'post /v1/heartbeats/{heartbeat_key}/channels': 'add-channels',
  'delete /v1/heartbeats/{heartbeat_key}/channels/{channel_id}': 'remove-channel',
  'post /v1/alerts/channels/test': 'test-unsaved-channel',
  'get /v1/alerts/stats': 'get-alert-stats',
  'post /v1/login/totp': 'login-with-totp',
  'post /v1/session/login': 'login-browser',
  'post /v1/session/totp': 'login-browser-with-totp',
  'post /v1/session/refresh': 'refresh-browser-session',
  'post /v1/session/logout': 'logout-browser',
  'post /v1/refresh': 'refresh-tokens',
  'post /v1/users/invite': 'invite-user',
  'post /v1/users/{user_id}/resend-invitation': 'resend-invitation',
  'post /v1/users/totp': 'set-up-totp',
  'post /v1/users/totp/confirm': 'confirm-totp',
  'post /v1/users/change-password': 'change-password',
  'post /v1/users/request-password-reset': 'request-password-reset',
  'post /v1/users/reset-password': 'reset-password',
  'get /v1/audit': 'list-audit-logs',
};

/** Matches the paths of a resource's history, such as `/v1/pages/{page_id}/history/diff`. */
const HISTORY = /\/([a-z_-]+)\/\{\w+\}\/history(?:\/(\w+))?$/;
const OF_HISTORY: Readonly<Record<string, string>> = { diff: 'compare-states', moments: 'list-moments' };

/**
 * Returns the anchor of an operation on its topic's page: `create-incident` for `POST /v1/pages/{page_id}/incidents`.
 * Other sites link to anchors, so anchors must never change. Therefore, they are derived only from method and path,
 * which are part of the stable interface.
 *
 * @param isListed whether the path also supports GET. If it does, POST adds an item to a list
 */
export const anchorOf = (method: string, path: string, isListed: boolean): string => {
  const named = NAMED[`${method} ${path}`];
  if (named !== undefined) return named;
  const history = HISTORY.exec(path);
  if (history) {
    const [, of = '', part = ''] = history;
    return `${OF_HISTORY[part] ?? 'list-history'}-of-${singular(slug(of))}`;
  }
  const segments = path.split('/').slice(2);
  const last = segments.at(-1) ?? '';
  const fixed = segments.filter((segment) => !isParameter(segment)).map(slug);
  const noun = fixed.at(-1) ?? '';
  if (isParameter(last)) return `${VERBS[method] ?? method}-${singular(noun)}`;
  if (method === 'get') return noun.startsWith('get-') ? noun : `${/[^s]s$/.test(noun) ? 'list' : 'get'}-${noun}`;
  if (method === 'put' || method === 'patch') {
    const above = fixed.at(-2) ?? '';
    return isListed ? `change-${noun}` : `${noun}-${singular(above)}`;
  }
  if (method === 'delete') return `delete-${noun}`;
  if (isListed) return `create-${singular(noun)}`;
  const above = fixed.at(-2);
  if (above === undefined) return noun;
  // The noun is singular if the path contains an id: `execute-check`, but `execute-checks` for all checks.
  return `${noun}-${isParameter(segments.at(-2) ?? '') ? singular(above) : above}`;
};

/** Returns the name of a topic in URLs: `E-mail domain` → `email-domain`. */
export const topicName = (tag: string): string =>
  tag
    .toLowerCase()
    .replace(/(?<=^e)-(?=mail)/, '')
    .replace(/[^a-z0-9]+/g, '-');

/** Spelling that titles use for words that are spelt differently in anchors. */
const WRITTEN: Readonly<Record<string, string>> = { totp: 'TOTP', email: 'e-mail', api: 'API' };

/** Returns the title of an operation, from its anchor: `create-api-key` → `Create API key`. */
export const titleOf = (anchor: string): string => {
  const [first = '', ...rest] = anchor
    .split('-')
    .map((word) => WRITTEN[word] ?? word)
    .join(' ');
  return first.toUpperCase() + rest.join('');
};

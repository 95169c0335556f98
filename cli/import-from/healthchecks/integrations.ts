import type { Draft } from '../mapping/draft.ts';
import { requiredTextIn, textIn } from '../mapping/fields.ts';
import type { Mapping } from '../read-yaml.ts';
import { listed } from './remarks.ts';

/** The closest channel of each kind of integration. Other kinds are closest to a webhook. */
const CLOSEST: Readonly<Record<string, string>> = {
  email: 'a channel of the type email',
  slack: 'a channel of the type slack',
  mattermost: 'a channel of the type slack',
  rocketchat: 'a channel of the type slack',
  telegram: 'a channel of the type telegram',
  ntfy: 'a channel of the type ntfy',
  webhook: 'a channel of the type webhook',
  discord: 'a webhook by the recipe for Discord',
  pd: 'a webhook by the recipe for PagerDuty',
  opsgenie: 'a webhook by the recipe for Opsgenie',
};

/** An integration of the optional second file. */
export interface Integration {
  id: string;
  kind: string;
  name: string;
}

/** @throws OperatorError the entry is no integration */
export const integrationOf = (entry: Mapping): Integration => ({
  id: requiredTextIn(entry, 'id'),
  kind: textIn(entry, 'kind') ?? 'unknown',
  name: textIn(entry, 'name')?.trim() || 'without a name',
});

/** The integrations of a check, by id. */
export const integrationsOf = (check: Mapping): string[] =>
  (textIn(check, 'channels') ?? '').split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]));

/**
 * Notes the integrations, whose addresses are in no export.
 *
 * @param users the heartbeats of each integration, by its id
 * @param integrations the integrations of the optional second file
 */
export const noteIntegrations = (
  draft: Draft,
  users: ReadonlyMap<string, readonly string[]>,
  integrations: readonly Integration[],
): void => {
  const known = new Map(integrations.map((integration) => [integration.id, integration]));
  const unknown = [...users.keys()].filter((id) => !known.has(id));
  if (unknown.length > 0)
    draft.note(
      `The checks name ${unknown.length} integrations only by their ids; create channels, and add them to the heartbeats. Import the response of /api/v3/channels/ as well to see their names.`,
    );
  for (const [id, { kind, name }] of known) {
    const heartbeats = users.get(id) ?? [];
    const closest = CLOSEST[kind] ?? 'a channel of the type webhook';
    const where = heartbeats.length === 0 ? '' : `, and add it to ${listed(heartbeats)}`;
    draft.note(
      `The integration "${name}" (${kind}) is left out, because the export does not contain its address; create ${closest}${where}.`,
    );
  }
};

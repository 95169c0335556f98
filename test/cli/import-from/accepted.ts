import * as assert from 'uvu/assert';
import { v1Routes } from '../../../api/v1/index.ts';
import type { Fields } from '../../../cli/configuration/model.ts';
import type { Imported } from '../../../cli/import-from/imported.ts';
import { compile } from '../../../http/routes/validate.ts';
import { readConfiguration } from '../../../notifiers/channels/configuration.ts';

const ID = 'abcdefghijkl';

const bodyOf = (path: string) => {
  const route = v1Routes.find((one) => one.path === path && one.methods.includes('post') && one.body !== undefined);
  if (!route?.body) throw new Error(`POST ${path} has no body.`);
  return compile(route.body);
};

const bodies = {
  check_groups: bodyOf('/v1/check-groups'),
  checks: bodyOf('/v1/checks'),
  channels: bodyOf('/v1/alerts/channels'),
  rules: bodyOf('/v1/alerts/rules'),
  heartbeats: bodyOf('/v1/heartbeats'),
  pages: bodyOf('/v1/pages'),
  components: bodyOf('/v1/pages/{page_id}/components'),
};

/** Values of environment variables that are valid where the tests use them. */
const valueOf = (variable: string): string => (variable.endsWith('_URL') ? 'https://example.com/hook' : 'value');

const filled = (entry: object): Fields =>
  JSON.parse(
    JSON.stringify(entry).replace(/\$\{env:([A-Za-z0-9_]+)\}/g, (_, variable: string) => valueOf(variable)),
  ) as Fields;

const accept = (kind: keyof typeof bodies, entry: object): void => {
  const body = filled(entry);
  assert.is(bodies[kind](structuredClone(body)), null, `${kind}: ${JSON.stringify(body)}`);
};

/** Asserts that the API accepts every object, and that every reference names an object. */
export const assertAccepted = ({ configuration }: Imported): void => {
  const { check_groups = [], checks = [], channels = [], rules = [], heartbeats = [], pages = [] } = configuration;
  const keyOf = (group: unknown, name: unknown): string => JSON.stringify([group ?? null, name]);
  const known = {
    groups: new Set(check_groups.map(({ name }) => name)),
    checks: new Set(checks.map(({ group, name }) => keyOf(group, name))),
    channels: new Set(channels.map(({ name }) => name)),
  };
  assert.is(known.checks.size, checks.length, 'names of checks are unique in their group');
  assert.is(known.channels.size, channels.length, 'names of channels are unique');
  assert.is(new Set(rules.map(({ name }) => name)).size, rules.length, 'names of rules are unique');
  const isCheck = (reference: unknown): boolean => {
    const { group, name } = reference as { group: string | null; name: string };
    return known.checks.has(keyOf(group, name));
  };
  for (const group of check_groups) accept('check_groups', group);
  for (const { group, ...check } of checks) {
    accept('checks', check);
    assert.ok(group == null || known.groups.has(group));
  }
  for (const channel of channels) {
    accept('channels', channel);
    const { type, configuration: settings } = filled(channel) as { type: never; configuration: unknown };
    const found = readConfiguration(type, settings, null);
    assert.ok(!('problems' in found), JSON.stringify(found));
  }
  for (const { check, channels: names, ...rule } of rules) {
    accept('rules', { ...rule, check_id: ID, channel_ids: names.map(() => ID) });
    assert.ok(isCheck(check), JSON.stringify(check));
    assert.ok(names.every((name) => known.channels.has(name)));
  }
  for (const { channels: names = [], ...heartbeat } of heartbeats) {
    accept('heartbeats', heartbeat);
    assert.ok(names.every((name) => known.channels.has(name)));
  }
  for (const { component_groups = [], components = [], ...page } of pages) {
    accept('pages', page);
    for (const group of component_groups) accept('components', { ...group, group: true });
    const groups = new Set(component_groups.map(({ name }) => name));
    for (const { group, check, ...component } of components) {
      accept('components', { ...component, check_id: ID });
      assert.ok(group == null || groups.has(group));
      assert.ok(check === undefined || isCheck(check));
    }
  }
};

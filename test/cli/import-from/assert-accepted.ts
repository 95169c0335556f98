import * as assert from 'uvu/assert';
import { definitionBodyErrors } from '../../../api/v1/checks/validation.ts';
import type { Configuration } from '../../../cli/configuration/model.ts';
import { checkTypeOf, isCheckType } from '../../../domain/check/types/index.ts';
import { compile } from '../../../http/routes/validate.ts';
import { readConfiguration } from '../../../notifiers/channels/configuration.ts';

/**
 * Asserts that the service would accept the checks and channels of a configuration, that all references lead to
 * objects, and that no two objects have the same key.
 */
export const assertAccepted = (configuration: Configuration): void => {
  const {
    checks = [],
    channels = [],
    rules = [],
    heartbeats = [],
    pages = [],
    check_groups: groups = [],
  } = configuration;
  for (const check of checks) {
    assert.ok(isCheckType(check.type), check.name);
    assert.is(definitionBodyErrors(check), null, check.name);
    assert.equal(compile(checkTypeOf(check.type).parameters)(check['parameters']), null, check.name);
    assert.ok(check.name.length >= 1 && check.name.length <= 100, check.name);
    assert.ok(Number(check['interval']) >= 30 && Number(check['interval']) <= 86_400, check.name);
    for (const tag of check['tags'] as string[]) assert.match(tag, /^[a-z0-9._:-]{1,50}$/);
    if (typeof check.group === 'string')
      assert.ok(
        groups.some(({ name }) => name === check.group),
        check.group,
      );
  }
  for (const { name, type, configuration: own } of channels) {
    const read = readConfiguration(type as string, own, null);
    assert.not('problems' in read, `${name}: ${JSON.stringify(read)}`);
  }
  const keys = checks.map(({ name, group }) => JSON.stringify([group ?? null, name]));
  assert.is(new Set(keys).size, keys.length, 'the keys of the checks differ');
  for (const list of [channels, rules, heartbeats, pages, groups]) {
    assert.is(new Set(list.map(({ name }) => name)).size, list.length, 'the names differ');
  }
  const channelNames = new Set(channels.map(({ name }) => name));
  const isCheck = (reference: unknown): boolean =>
    typeof reference === 'string'
      ? checks.filter(({ name }) => name === reference).length === 1
      : checks.some(({ name, group }) => JSON.stringify({ group, name }) === JSON.stringify(reference));
  for (const rule of rules) {
    assert.ok(typeof rule['tag'] === 'string' || isCheck(rule.check), rule.name);
    assert.ok(rule.channels.length > 0 && rule.channels.every((name) => channelNames.has(name)), rule.name);
  }
  for (const page of pages) {
    assert.match(page['subdomain'] as string, /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/);
    for (const { name, check, group } of page.components ?? []) {
      assert.ok(check === undefined || isCheck(check), name);
      assert.ok(
        page.component_groups?.some((one) => one.name === group),
        name,
      );
    }
  }
};

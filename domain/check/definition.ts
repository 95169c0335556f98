import { IllegalState, Invalid } from '../errors.ts';
import type { CheckTypeName } from './events.ts';
import { parallelOf } from './parallel.ts';
import { regionOf, regionsOf, type LiveRunners } from './regions.ts';
import { at } from './sealing.ts';
import type { CheckSettings } from './state.ts';
import { typeRules } from './types/rules.ts';

type Definition = Pick<CheckSettings, 'timeout' | 'host' | 'url' | 'port' | 'parameters'>;

const MISSING = 'Missing required field.';

/**
 * What a definition lacks of what its type asks for, and which of its fields contradict each other.
 *
 * @param definition its fields may have any form: what is wrong with that, their schemas say
 * @returns sentences by field, none when it is complete
 */
export const incompleteFields = (type: CheckTypeName, definition: Definition): Record<string, string[]> => {
  const rules = typeRules[type];
  const errors: Record<string, string[]> = {};
  if (rules.target === 'url' && definition.url === null) errors['url'] = [MISSING];
  if (rules.target === 'host' && definition.host === null) errors['host'] = [MISSING];
  if (rules.portRequired && definition.port === null) errors['port'] = [MISSING];
  if (rules.target === 'script' && definition.parameters['pw_script'] === undefined)
    errors['parameters.pw_script'] = [MISSING];
  if (definition.timeout > rules.maxTimeout)
    errors['timeout'] = [`Must be less than or equal to ${rules.maxTimeout.toString()}.`];
  return { ...errors, ...searchErrors(type, definition.parameters), ...parallelErrors(definition.parameters) };
};

/** The answer to a HEAD request has no body, so nothing can be found in it. */
const searchErrors = (type: CheckTypeName, parameters: Record<string, unknown>): Record<string, string[]> => {
  if ((type !== 'web' && type !== 'api') || at(parameters, ['http_request', 'method']) !== 'HEAD') return {};
  const searched = [['search_text'], ['assertions', 'search_text_absent'], ['assertions', 'json']];
  const asked = searched.filter((path) => {
    const wanted = at(parameters, path) ?? '';
    return wanted !== '' && !(Array.isArray(wanted) && wanted.length === 0);
  });
  const sentence = "Can't be searched: the answer to a HEAD request has no body.";
  return Object.fromEntries(asked.map((path) => [`parameters.${path.join('.')}`, [sentence]]));
};

/**
 * Refuses a definition that lacks what its type asks for, or whose fields contradict each other.
 *
 * @throws Invalid naming every broken field
 */
export const requireComplete = (type: CheckTypeName, definition: Definition): void => {
  const errors = incompleteFields(type, definition);
  if (Object.keys(errors).length > 0) throw new Invalid({ json: errors });
};

const parallelErrors = (parameters: Record<string, unknown>): Record<string, string[]> => {
  const parallel = parallelOf(parameters);
  const names = parameters['regions'] ?? [];
  if (parallel?.execution_mode !== 'random_n' || !Array.isArray(names)) return {};
  const field = 'parameters.multi_region_execution.count';
  if (parallel.count === undefined) return { [field]: [MISSING] };
  const named = new Set((names as string[]).map((name) => regionOf(name) ?? name));
  // Without a name it is the default region.
  const regions = Math.max(1, named.size);
  return parallel.count > regions
    ? { [field]: [`Must be less than or equal to ${regions.toString()}, the number of regions.`] }
    : {};
};

/** Of URL and host, the one that the type does not use is null (decisions.md: Checks). */
export const withOneTarget = <D extends Pick<Definition, 'url' | 'host'>>(type: CheckTypeName, definition: D): D =>
  typeRules[type].target === 'host' ? { ...definition, url: null } : { ...definition, host: null };

/**
 * Refuses what no live runner can do.
 *
 * @throws IllegalState an unknown region, or one that can't run the type
 */
export const requireRunnable = async (
  type: CheckTypeName,
  parameters: Record<string, unknown>,
  runners: LiveRunners,
): Promise<void> => {
  for (const name of (parameters['regions'] ?? []) as string[]) {
    if (!regionOf(name)) throw new IllegalState(`There is no region "${name}".`);
  }
  const abilities = await runners.abilities();
  for (const region of regionsOf(parameters, runners.defaultRegion)) {
    const types = abilities.get(region.id) ?? [];
    if (!types.includes(type)) throw new IllegalState(`Checks of type ${type} can't be run in region "${region.id}".`);
  }
};

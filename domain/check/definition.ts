import { IllegalState, Invalid } from '../errors.ts';
import type { CheckTypeName } from './events.ts';
import { multiRegionOf } from './multi-region.ts';
import { isPrivate, regionOf, regionsOf, type LiveRunners } from './regions.ts';
import type { CheckSettings } from './state.ts';
import type { CheckTarget } from './types/check-type.ts';
import { checkTypeOf } from './types/index.ts';

type Definition = Pick<CheckSettings, 'timeout' | 'host' | 'url' | 'port' | 'parameters'>;

const MISSING = 'Missing required field.';

/**
 * Reports the errors of a definition: missing required fields, and contradictions between fields.
 *
 * @param definition might have fields of the wrong form, which the schemas report
 * @returns error messages by field; empty if the definition is complete
 */
export const incompleteFields = (type: CheckTypeName, definition: Definition): Record<string, string[]> => {
  const { target, requiredParameters, maxTimeout, contradictions } = checkTypeOf(type);
  const { parameters, timeout } = definition;
  const missing = [
    ...requiredFields(target).filter((field) => definition[field] === null),
    ...requiredParameters.filter((name) => parameters[name] === undefined).map((name) => `parameters.${name}`),
  ];
  return {
    ...Object.fromEntries(missing.map((field) => [field, [MISSING]])),
    ...(timeout > maxTimeout && { timeout: [`Must be less than or equal to ${maxTimeout}.`] }),
    ...contradictions(parameters),
    ...multiRegionErrors(parameters),
  };
};

const TARGETS = ['url', 'host', 'port'] as const;

/** Returns the target fields that a type requires. */
export const requiredFields = (target: CheckTarget): ('url' | 'host' | 'port')[] =>
  TARGETS.filter((field) => target[field] === 'required');

/** Returns the default port of a type; null if the type has none. */
export const defaultPortOf = (type: CheckTypeName): number | null => {
  const { port } = checkTypeOf(type).target;
  return typeof port === 'object' ? port.default : null;
};

/**
 * Requires a complete definition without contradictions.
 *
 * @throws Invalid with the errors of all fields
 */
export const requireComplete = (type: CheckTypeName, definition: Definition): void => {
  const errors = incompleteFields(type, definition);
  if (Object.keys(errors).length > 0) throw new Invalid({ json: errors });
};

const multiRegionErrors = (parameters: Record<string, unknown>): Record<string, string[]> => {
  const parallel = multiRegionOf(parameters);
  const names = parameters['regions'] ?? [];
  if (parallel?.execution_mode !== 'random_n' || !Array.isArray(names)) return {};
  const field = 'parameters.multi_region_execution.count';
  if (parallel.count === undefined) return { [field]: [MISSING] };
  const named = new Set((names as string[]).map((name) => regionOf(name)?.id ?? name));
  // A check without regions runs in the default region, which is one region.
  const regions = Math.max(1, named.size);
  return parallel.count > regions
    ? { [field]: [`Must be less than or equal to ${regions}, the number of regions.`] }
    : {};
};

/** Sets `url` or `host` to null if the type does not use it (docs/reference/checks.md#types). */
export const withOneTarget = <D extends Pick<Definition, 'url' | 'host'>>(type: CheckTypeName, definition: D): D => {
  const { target } = checkTypeOf(type);
  return { ...definition, ...(!target.url && { url: null }), ...(!target.host && { host: null }) };
};

/** Returns the error (400) for a region that does not exist, or is a private location of another organization. */
export const noSuchRegion = (name: string): IllegalState => new IllegalState(`There is no region "${name}".`);

/**
 * Requires that every region of a check has a live runner that can run this type.
 *
 * @throws IllegalState a region is unknown, belongs to another organization, or can't run the type
 */
export const requireRunnable = async (
  type: CheckTypeName,
  parameters: Record<string, unknown>,
  runners: LiveRunners,
  organizationId: string,
): Promise<void> => {
  const names = (parameters['regions'] ?? []) as string[];
  const isNamed = names.some((name) => isPrivate({ id: name }));
  const registered = isNamed ? ((await runners.registered?.(organizationId)) ?? []) : [];
  const own = new Set(registered.map(({ region }) => region));
  for (const name of names) {
    const region = regionOf(name);
    if (!region || (isPrivate(region) && !own.has(region.id))) throw noSuchRegion(name);
  }
  const abilities = await runners.abilities();
  for (const region of regionsOf(parameters, runners.defaultRegion)) {
    const types = abilities.get(region.id) ?? [];
    if (!types.includes(type)) throw new IllegalState(`Checks of type ${type} can't be run in region "${region.id}".`);
  }
};

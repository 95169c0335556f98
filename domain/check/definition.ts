import { IllegalState, Invalid } from '../errors.ts';
import type { CheckTypeName } from './events.ts';
import { parallelOf } from './parallel.ts';
import { isPrivate, regionOf, regionsOf, type LiveRunners } from './regions.ts';
import type { CheckSettings } from './state.ts';
import type { Target } from './types/check-type.ts';
import { checkTypeOf } from './types/index.ts';

type Definition = Pick<CheckSettings, 'timeout' | 'host' | 'url' | 'port' | 'parameters'>;

const MISSING = 'Missing required field.';

/**
 * What a definition lacks that its type requires, and which of its fields contradict each other.
 *
 * @param definition its fields may have any form; their schemas check that
 * @returns sentences by field; none if it is complete
 */
export const incompleteFields = (type: CheckTypeName, definition: Definition): Record<string, string[]> => {
  const { target, requiredParameters, maxTimeout, contradictions } = checkTypeOf(type);
  const { parameters, timeout } = definition;
  const lacking = [
    ...requiredFields(target).filter((field) => definition[field] === null),
    ...requiredParameters.filter((name) => parameters[name] === undefined).map((name) => `parameters.${name}`),
  ];
  return {
    ...Object.fromEntries(lacking.map((field) => [field, [MISSING]])),
    ...(timeout > maxTimeout && { timeout: [`Must be less than or equal to ${maxTimeout.toString()}.`] }),
    ...contradictions(parameters),
    ...parallelErrors(parameters),
  };
};

const TARGETS = ['url', 'host', 'port'] as const;

/** Fields of the target that a definition must have. */
export const requiredFields = (target: Target): ('url' | 'host' | 'port')[] =>
  TARGETS.filter((field) => target[field] === 'required');

/** The port of a definition that names none; null if its type has none. */
export const defaultPortOf = (type: CheckTypeName): number | null => {
  const { port } = checkTypeOf(type).target;
  return typeof port === 'object' ? port.default : null;
};

/**
 * Refuses a definition that lacks what its type requires, or whose fields contradict each other.
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
  const named = new Set((names as string[]).map((name) => regionOf(name)?.id ?? name));
  // If no region is named, it is the default one.
  const regions = Math.max(1, named.size);
  return parallel.count > regions
    ? { [field]: [`Must be less than or equal to ${regions.toString()}, the number of regions.`] }
    : {};
};

/** Of URL and host, the one that the type does not use is null (decisions.md: Checks). */
export const withOneTarget = <D extends Pick<Definition, 'url' | 'host'>>(type: CheckTypeName, definition: D): D => {
  const { target } = checkTypeOf(type);
  return { ...definition, ...(!target.url && { url: null }), ...(!target.host && { host: null }) };
};

/** 400: nobody can run checks there, or nobody of this organization. */
export const noSuchRegion = (name: string): IllegalState => new IllegalState(`There is no region "${name}".`);

/**
 * Refuses what no live runner can do.
 *
 * @throws IllegalState an unknown region, a private location of others, or a region that can't run the type
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

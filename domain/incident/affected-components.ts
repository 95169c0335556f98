import { Invalid } from '../errors.ts';
import { severityOf, type ComponentStatus } from '../page/component-status.ts';
import type { PageComponent } from '../page/state.ts';
import type { ComponentMap } from './fields.ts';
import { MAX_COMPONENTS } from './rules.ts';
import type { IncidentImpact, IncidentKind } from './statuses.ts';

/** Error messages for the fields of a request's body, by dotted path such as `components.k3v9x0q2m7ab`. */
export type IncidentFieldErrors = Record<string, string[]>;

/** The part of a page that validation needs: the components and groups by id. */
export interface ComponentLookup {
  readonly components: ReadonlyMap<string, Pick<PageComponent, 'group'>>;
}

/**
 * Rejects a request that has errors.
 *
 * @throws Invalid
 */
export const throwFieldErrors = (broken: IncidentFieldErrors): void => {
  if (Object.keys(broken).length > 0) throw new Invalid({ json: broken });
};

/**
 * Adds errors for the components in a request. Each must be a component of the page. It must not be a group, because
 * the status of a group is derived from its components.
 *
 * @param path path of `map` in the request's body
 */
export const checkNamedComponents = (
  broken: IncidentFieldErrors,
  path: string,
  page: ComponentLookup,
  map: ComponentMap,
): void => {
  for (const id of Object.keys(map)) {
    const component = page.components.get(id);
    if (!component) broken[`${path}.${id}`] = ['Must be a component of this page.'];
    else if (component.group) broken[`${path}.${id}`] = ['Is a group, whose status is derived from its components.'];
  }
};

/**
 * Adds an error if an incident would have too many components.
 *
 * @param ids the ids of all components that the incident would have, possibly with duplicates
 */
export const checkCount = (broken: IncidentFieldErrors, path: string, ids: readonly string[]): void => {
  if (new Set(ids).size <= MAX_COMPONENTS) return;
  broken[path] = [`An incident can name at most ${MAX_COMPONENTS} components.`];
};

const DEGRADED: Partial<Record<ComponentStatus, IncidentImpact>> = {
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
};

/**
 * Returns the impact that follows from the worst component status in a request (docs/reference/incidents.md#impact).
 */
export const impactOf = (kind: IncidentKind, map: ComponentMap): IncidentImpact => {
  const [worst] = Object.values(map).sort((a, b) => severityOf(b) - severityOf(a));
  return (worst && DEGRADED[worst]) ?? (kind === 'maintenance' ? 'maintenance' : 'none');
};

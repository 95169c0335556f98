import { Invalid } from '../errors.ts';
import { severityOf, type ComponentStatus } from '../page/component-status.ts';
import type { PageComponent } from '../page/state.ts';
import type { ComponentMap } from './fields.ts';
import { MAX_COMPONENTS } from './rules.ts';
import type { IncidentImpact, IncidentKind } from './statuses.ts';

/** Broken fields of a request's body by dotted path, each with its sentences. */
export type Broken = Record<string, string[]>;

/** What a rule needs to know about a page: its components and groups by id. */
export interface KnownComponents {
  readonly components: ReadonlyMap<string, Pick<PageComponent, 'group'>>;
}

/** @throws Invalid anything is broken */
export const refuse = (broken: Broken): void => {
  if (Object.keys(broken).length > 0) throw new Invalid({ json: broken });
};

/**
 * Adds what is wrong with the components that a request names: each must be a component of the page.
 * A group has no status of its own, so none can be set.
 *
 * @param path of the map in the request's body
 */
export const checkNamed = (broken: Broken, path: string, page: KnownComponents, map: ComponentMap): void => {
  for (const id of Object.keys(map)) {
    const component = page.components.get(id);
    if (!component) broken[`${path}.${id}`] = ['Must be a component of this page.'];
    else if (component.group) broken[`${path}.${id}`] = ['Is a group, whose status follows from its components.'];
  }
};

/** Adds that an incident would name too many components. @param ids with or without repetitions */
export const checkCount = (broken: Broken, path: string, ids: readonly string[]): void => {
  if (new Set(ids).size <= MAX_COMPONENTS) return;
  broken[path] = [`An incident can name at most ${MAX_COMPONENTS.toString()} components.`];
};

const DEGRADED: Partial<Record<ComponentStatus, IncidentImpact>> = {
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
};

/** The impact of the most severe status sent (spec.md: Create rules 4; decisions.md: Incidents, Impact values). */
export const impactOf = (kind: IncidentKind, map: ComponentMap): IncidentImpact => {
  const [worst] = Object.values(map).sort((a, b) => severityOf(b) - severityOf(a));
  return (worst && DEGRADED[worst]) ?? (kind === 'maintenance' ? 'maintenance' : 'none');
};

import { NotFound } from '../../../domain/errors.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import type { PageComponents } from '../../../queries/pages/visible-components.ts';
import type { PageVisit } from '../page-route.ts';

/** The subject of a feed: a page, or one object on it. */
export type FeedSubject =
  | { kind: 'page' }
  /** a component, or the components of a group */
  | { kind: 'component' | 'group'; id: string; name: string; componentIds: readonly string[] }
  | { kind: 'incident'; id: string; name: string; incident: IncidentDocument };

export type FeedKind = FeedSubject['kind'];

/** Folders of the feed files by subject kind, below the page's root. */
export const FOLDERS: Readonly<Record<FeedKind, string>> = {
  page: '',
  component: 'components/{component_id}/',
  group: 'groups/{group_id}/',
  incident: 'incidents/{incident_id}/',
};

/** Returns the folder of a subject. */
export const folderOf = (kind: FeedKind, id: string): string => FOLDERS[kind].replace(/\{\w+\}/, id);

/** Finds the subject of a feed by its kind and id. @throws NotFound */
export const findSubject = async (
  { page, scope }: Pick<PageVisit, 'page' | 'scope'>,
  kind: FeedKind,
  id: string,
  { all }: PageComponents,
): Promise<FeedSubject> => {
  switch (kind) {
    case 'page':
      return { kind };
    case 'component': {
      const component = found(all.find((one) => one.id === id && !one.group));
      return { kind, id, name: component.name, componentIds: [id] };
    }
    case 'group': {
      const group = found(all.find((one) => one.id === id && one.group));
      const componentIds = all.filter(({ group_id }) => group_id === id).map((one) => one.id);
      return { kind, id, name: group.name, componentIds };
    }
    case 'incident': {
      const incident = await scope.read(incidents).incidents.get(id);
      if (incident?.page_id !== page.id) throw feedNotFound();
      return { kind, id, name: incident.name, incident };
    }
  }
};

const feedNotFound = (): NotFound => new NotFound('There is no such feed.');

/**
 * Returns the component if it exists. A component that is visible only while it is degraded has feeds at all times, so
 * that feed readers do not lose them.
 *
 * @throws NotFound
 */
const found = (component: ComponentDocument | undefined): ComponentDocument => {
  if (!component) throw feedNotFound();
  return component;
};

import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { grouped } from '../../../domain/grouped.ts';
import { readMeasurements } from '../../../queries/pages/measurements.ts';
import { readUptimeByParts } from '../../../queries/uptime/uptime-by-parts.ts';
import type {
  ComponentsProps,
  ComponentView,
  Detail,
  GroupView,
  MeasuredView,
  RangeName,
} from '../../../views/status/components.tsx';
import type { Frame } from '../../../views/status/frame.ts';
import type { PageVisit } from '../page-route.ts';
import { barScale, barsOver } from './bars.ts';
import { barRange } from './ranges.ts';

/** The data of a list of components and groups, with the scale that all bars of the list share. */
export interface ComponentViews {
  sections: readonly (GroupView | ComponentView)[];
  list: Pick<ComponentsProps, 'detail' | 'range' | 'scale' | 'from' | 'until'>;
}

const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
/** Maximum number of components whose measurements are shown, because each of them requires a query. */
const MOST_MEASURED = 100;

/** Returns the data of a page's component list. @param shown visible components and groups, in the page's order */
export const componentViews = async (
  visit: Pick<PageVisit, 'scope' | 'page' | 'tagFigures'>,
  frame: Frame,
  shown: readonly ComponentDocument[],
  rangeName: RangeName,
  detail: Detail = 'bars',
): Promise<ComponentViews> => {
  const { scope, page } = visit;
  const { words, times } = frame;
  const range = barRange(rangeName, scope.now, page.time_zone);
  const leaves = shown.filter(({ group }) => !group);
  const showcased = detail === 'state' ? [] : leaves.filter(({ showcase }) => showcase);
  const [uptimes, measuredBy] = await Promise.all([
    readUptimeByParts(scope, showcased, { ...range, timeZone: page.time_zone }),
    measuring(visit, page.show_measurements && detail === 'bars' ? leaves : []),
  ]);
  const barsOf = barsOver(range, frame);
  const view = (component: ComponentDocument): ComponentView => {
    const { id, name, description, status } = component;
    const found = uptimes.get(id);
    const percentage = found?.uptime ?? null;
    const uptime =
      percentage === null ? words.components.noData : words.components.uptime(times.percentage(percentage));
    return {
      id,
      name,
      description: detail === 'state' ? null : description,
      status,
      history: found ? { bars: barsOf(found), uptime } : null,
      measured: measuredBy(component),
    };
  };
  return {
    sections: sectionsOf(shown, view),
    list: {
      detail,
      range: rangeName,
      scale: barScale(range),
      from: range.name === '24h' ? words.components.hoursAgo(24) : words.components.daysAgo(DAYS[range.name]),
      until: range.days ? words.components.today : words.components.now,
    },
  };
};

/**
 * Creates a function that returns the measurements of a component. They are from the check that the component names or,
 * if the component names a tag, from all checks with that tag.
 */
const measuring = async (
  { scope, tagFigures }: Pick<PageVisit, 'scope' | 'tagFigures'>,
  leaves: readonly ComponentDocument[],
): Promise<(component: ComponentDocument) => MeasuredView | null> => {
  const distinct = (names: readonly string[]): string[] => [...new Set(names)].slice(0, MOST_MEASURED);
  const tagNames = distinct(leaves.flatMap(({ check_tag }) => check_tag ?? []));
  const [checks, tags] = await Promise.all([
    readMeasurements(scope, distinct(leaves.flatMap(({ check_id }) => check_id ?? []))),
    tagNames.length === 0 ? null : tagFigures.measured(scope, tagNames),
  ]);
  return ({ check_id, check_tag }) => {
    const regions = check_tag === null ? checks.get(check_id ?? '') : tags?.byTag.get(check_tag);
    return regions ? { since: check_tag === null ? null : (tags?.since ?? null), regions } : null;
  };
};

/** Returns groups with their components, and ungrouped components, in the page's order. */
const sectionsOf = (
  shown: readonly ComponentDocument[],
  view: (component: ComponentDocument) => ComponentView,
): (GroupView | ComponentView)[] => {
  const leaves = shown.filter(({ group }) => !group);
  const members = grouped(leaves, ({ group_id }) => group_id ?? '');
  return shown.flatMap((one): (GroupView | ComponentView)[] => {
    if (!one.group) return one.group_id === null ? [view(one)] : [];
    const { id, name, description, status } = one;
    return [{ id, name, description, status, components: (members.get(id) ?? []).map(view) }];
  });
};

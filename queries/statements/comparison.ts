import { isFields } from '../../domain/fields.ts';
import type { StatementComponent, StatementFigures } from '../../domain/statement/content.ts';

/** A value that differs between two statements, with its path: `components.3.affected_days.0.major_outage`. */
export interface Difference {
  path: string;
  /** undefined if the value is not in this statement */
  old: unknown;
  new: unknown;
}

/** Returns all differing values, at any depth. */
export const differencesBetween = (old: unknown, now: unknown, path = ''): Difference[] => {
  const [before, after] = [partsOf(old), partsOf(now)];
  if (!before || !after || Array.isArray(old) !== Array.isArray(now))
    return old === now ? [] : [{ path, old, new: now }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    differencesBetween(ownValue(before, name), ownValue(after, name), path === '' ? name : `${path}.${name}`),
  );
};

/** Returns a value of an object. The inherited values, such as `__proto__`, are not part of a statement. */
const ownValue = (parts: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(parts, name) ? parts[name] : undefined;

const partsOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  Array.isArray(value)
    ? Object.fromEntries(value.map((item: unknown, index) => [index, item]))
    : isFields(value)
      ? value
      : null;

/** The components of a statement, by id. Comparisons ignore the names of components. */
export type FiguresById = ReadonlyMap<string, StatementComponent>;

export const figuresById = ({ components }: Pick<StatementFigures, 'components'>): FiguresById =>
  new Map(components.map((component) => [component.id, component]));

/** How the figures of a component differ. */
export interface ComponentChange {
  id: string;
  name: string;
  /** null if the old statement does not contain the component */
  old: StatementComponent | null;
  /** null if the new statement does not contain the component */
  new: StatementComponent | null;
  /**
   * the figures that differ, if both statements have the component; the path of a day's figure is
   * `2026-10-03.major_outage`
   */
  figures: Difference[];
}

/** Returns the components whose figures differ. @param only ids to compare; absent: all */
export const changesBetween = (old: FiguresById, now: FiguresById, only?: ReadonlySet<string>): ComponentChange[] =>
  [...new Set([...old.keys(), ...now.keys()])].flatMap((id): ComponentChange[] => {
    if (only && !only.has(id)) return [];
    const [before, after] = [old.get(id) ?? null, now.get(id) ?? null];
    const figures = before && after ? differencesBetween(onlyFigures(before), onlyFigures(after)) : [];
    if (before && after && figures.length === 0) return [];
    return [{ id, name: (after ?? before)?.name ?? id, old: before, new: after, figures }];
  });

const onlyFigures = ({ days, uptime_percentage, affected_days, ...component }: StatementComponent) => {
  const { measured, major_outage, partial_outage, degraded_performance, excluded } = component;
  const byDay = Object.fromEntries(affected_days.map(({ day, ...figures }) => [day, figures]));
  const whole = { days, uptime_percentage, measured, major_outage, partial_outage, degraded_performance, excluded };
  return { ...whole, ...byDay };
};

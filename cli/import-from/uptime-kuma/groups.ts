import type { NamedEntry } from '../../configuration/model.ts';
import { MAX_NAME, cut, tagOf, uniqueNames } from '../naming.ts';
import type { Remarks } from '../remarks.ts';
import { isOn, key, text, type Row } from '../rows.ts';
import type { KumaData } from './data.ts';

const MAX_DESCRIPTION = 500;
/** Length of a tag that leaves space for a number. */
const MAX_GROUP_TAG = 40;

/** A group of monitors, with the groups that contain it. */
export interface Group {
  name: string;
  /** ids of the monitors of the group itself and of the groups that contain it, from the outermost */
  path: readonly string[];
  /** whether neither the group nor one that contains it is paused */
  active: boolean;
  /** tags of the group itself and of the groups that contain it; its monitors get those that something refers to */
  tags: readonly string[];
}

/** The check groups, and the groups by the id of their monitor. */
export interface Groups {
  entries: NamedEntry[];
  byId: ReadonlyMap<string, Group>;
}

export const isGroup = (row: Row): boolean => text(row, 'type') === 'group';

/** Maps monitors of the type `group` to check groups. A group in a group gets both names (`Shop / Payments`). */
export const groupsOf = ({ monitors }: KumaData, remarks: Remarks): Groups => {
  const rows = new Map(monitors.filter(isGroup).map((row) => [key(row, 'id'), row]));
  const naming = uniqueNames('Group');
  const tags = tagsOfGroups(rows);
  const byId = new Map<string, Group>();
  const entries: NamedEntry[] = [];
  for (const [id, row] of rows) {
    const path = pathOf(id, rows);
    const joined = path.map((one) => text(rows.get(one) ?? {}, 'name').trim() || 'Group').join(' / ');
    const name = naming(joined.length > MAX_NAME ? text(row, 'name') : joined);
    // Pausing a group pauses everything in it.
    const active = path.every((one) => isOn(rows.get(one) ?? {}, 'active', true));
    const ofPath = path.map((one) => tags.get(one) ?? null).filter((tag) => tag !== null);
    byId.set(id, { name, path, active, tags: ofPath });
    if (path.length > 1) remarks.about(name, 'is a group of its own, because groups cannot contain groups.');
    const description = cut(text(row, 'description').trim(), MAX_DESCRIPTION);
    entries.push({ name, ...(description !== '' && { description }), ...(!active && { active: false }) });
  }
  return { entries, byId };
};

/** Returns a different tag for each group. */
const tagsOfGroups = (rows: ReadonlyMap<string, Row>): ReadonlyMap<string, string> => {
  const taken = new Set<string>();
  return new Map(
    [...rows].map(([id, row]) => {
      const tag = tagOf('group', text(row, 'name')) ?? 'group';
      let different = tag;
      for (let number = 2; taken.has(different); number++) different = `${tag.slice(0, MAX_GROUP_TAG)}-${number}`;
      taken.add(different);
      return [id, different];
    }),
  );
};

/** Returns the ids of the groups that contain a group, from the outermost to the group itself. */
const pathOf = (id: string, rows: ReadonlyMap<string, Row>): string[] => {
  const path: string[] = [];
  // A damaged database could have groups that contain each other.
  for (let at = id; rows.has(at) && !path.includes(at); at = key(rows.get(at) ?? {}, 'parent')) path.unshift(at);
  return path;
};

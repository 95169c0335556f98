import type { NamedEntry } from '../../../configuration/model.ts';
import { uniqueNames } from '../../naming.ts';
import type { Remarks } from '../../remarks.ts';
import { isOn, isRow, json, key, text, type Row } from '../../rows.ts';
import type { KumaData } from '../data.ts';
import { SAME_TYPES, WEBHOOK_TYPES } from './types.ts';
import type { ChannelDraft } from './webhook.ts';

/** The channels, and their names by the id of the notification. */
export interface Channels {
  entries: NamedEntry[];
  names: ReadonlyMap<string, string>;
}

/** Maps the notifications to channels. A remark never contains an address, a token or any other value. */
export const channelsOf = ({ notifications }: KumaData, remarks: Remarks): Channels => {
  const naming = uniqueNames('Notification');
  const names = new Map<string, string>();
  const entries: NamedEntry[] = [];
  for (const row of notifications) {
    const config = json(row, 'config');
    const settings: Row = isRow(config) ? config : {};
    const title = text(row, 'name') || text(settings, 'name');
    if (!isRow(config)) {
      remarks.about(title || 'Notification', 'was not imported, because its configuration is not readable.');
      continue;
    }
    const draft = draftOf(title || 'Notification', settings, remarks);
    if (draft === null) continue;
    const name = naming(title);
    if (draft.remark !== undefined && draft.remark !== '') remarks.about(name, draft.remark);
    names.set(key(row, 'id'), name);
    entries.push({
      name,
      type: draft.type,
      configuration: draft.configuration,
      ...(!isOn(row, 'active', true) && { enabled: false }),
    });
  }
  if (notifications.some((row) => isOn(row, 'is_default'))) {
    remarks.add(
      'New checks get no notification by default. A rule by tag notifies of every check that has the tag, also of new ones.',
    );
  }
  return { entries, names };
};

const draftOf = (name: string, config: Row, remarks: Remarks): ChannelDraft | null => {
  const type = text(config, 'type');
  const same = SAME_TYPES.get(type);
  const closest = WEBHOOK_TYPES.get(type);
  if (!same && !closest) {
    remarks.about(
      name,
      `was not imported, because Uptrail has no channel of the type "${type.slice(0, 40)}". A webhook with a body_template can call most services.`,
    );
    return null;
  }
  const draft = (same ?? closest)?.(config) ?? null;
  if (draft === null) {
    remarks.about(name, 'was not imported, because its address or its recipient is missing or not valid.');
  } else if (closest) {
    remarks.about(name, `became a webhook with a body for ${type}. Send a test message to verify it.`);
  }
  return draft;
};

import type { CheckEntry, HeartbeatEntry, Reference, RuleEntry } from '../../configuration/model.ts';
import { tagOf, tagsOf, uniqueNames } from '../naming.ts';
import type { Remarks } from '../remarks.ts';
import { confirmationsOf, intervalOf } from '../schedule.ts';
import type { Groups } from './groups.ts';
import { isGroup } from './groups.ts';
import { heartbeatOf } from './heartbeats.ts';
import { draftOf } from './monitors/index.ts';
import type { Draft } from './monitors/draft.ts';
import { secondsBetween } from './monitors/time-limit.ts';
import { isOn, isRow, json, key, number, parsed, rowsBy, text, type Row } from '../rows.ts';
import type { KumaData } from './data.ts';

/** The days before the end of a certificate at which Uptime Kuma notifies by default. */
const CERTIFICATE_DAYS = [7, 14, 21];

/** What becomes of the monitors. */
export interface MappedMonitors {
  checks: CheckEntry[];
  heartbeats: HeartbeatEntry[];
  rules: RuleEntry[];
  /** the checks by the id of their monitor */
  references: ReadonlyMap<string, Reference>;
  /** the tags of groups that checks have, by the id of the group's monitor */
  groupTags: ReadonlyMap<string, string>;
  /** the names of all monitors by id, for components that have no check */
  names: ReadonlyMap<string, string>;
}

interface Context {
  data: KumaData;
  groups: Groups;
  channelNames: ReadonlyMap<string, string>;
  remarks: Remarks;
}

/** Maps monitors to checks, heartbeats and rules. */
export const monitorsOf = (context: Context): MappedMonitors => {
  const { data, groups, remarks } = context;
  const names = namesOf(context);
  const groupTags = referredGroupTags(context);
  const tags = rowsBy(data.tags, 'monitor_id');
  const channels = channelsByMonitor(context);
  const ruleNaming = uniqueNames('Rule');
  const result = { checks: [] as CheckEntry[], heartbeats: [] as HeartbeatEntry[], rules: [] as RuleEntry[] };
  const references = new Map<string, Reference>();
  const certificates = certificateFacts(data);
  for (const row of data.monitors) {
    const id = key(row, 'id');
    const name = names.get(id) ?? '';
    const notified = channels.get(id) ?? [];
    if (isGroup(row)) {
      const tag = groupTags.get(id);
      if (notified.length === 0 || tag === undefined) continue;
      remarks.about(
        name,
        'notifies when checks or heartbeats of the group fail: once for each of them, not once for the group.',
      );
      result.rules.push({ ...ruleOf(ruleNaming(name), row, remarks), tag, channels: notified });
      continue;
    }
    remarkUnmapped(row, name, remarks);
    const group = groups.byId.get(key(row, 'parent'));
    const own = (tags.get(id) ?? []).map((tag) => tagOf(text(tag, 'name'), text(tag, 'value')));
    const ofGroups = group?.tags.filter((tag) => [...groupTags.values()].includes(tag)) ?? [];
    if (text(row, 'type') === 'push') {
      // A heartbeat has no group, and no rule by tag covers it.
      const inherited = group?.path.flatMap((one) => channels.get(one) ?? []) ?? [];
      const parts = { tags: tagsOf([...own, ...(group?.tags ?? [])]), group, remarks };
      result.heartbeats.push(heartbeatOf(row, name, { ...parts, channels: [...notified, ...inherited] }));
      continue;
    }
    const draft = draftOf({ row, name, remarks, ...certificates(id) });
    if (draft === null) continue;
    const reference = group ? { group: group.name, name } : name;
    references.set(id, reference);
    result.checks.push(checkOf(row, name, { draft, group: group?.name, tags: tagsOf([...ofGroups, ...own]), remarks }));
    if (notified.length > 0) {
      result.rules.push({ ...ruleOf(ruleNaming(name), row, remarks), check: reference, channels: notified });
    }
  }
  if (result.heartbeats.length > 0) {
    remarks.add(
      'Heartbeats have ping addresses of their own. Put the address of each heartbeat into its job; a failure is reported to /ping/fail instead of status=down.',
    );
  }
  return { ...result, references, groupTags, names };
};

/**
 * Returns names that are unique in each group. A check outside of groups gets a name that no other check has, so that
 * its name alone refers to it.
 */
const namesOf = ({ data, groups }: Context): ReadonlyMap<string, string> => {
  const checks = uniqueNames('Monitor');
  const heartbeats = uniqueNames('Monitor');
  const names = new Map<string, string>();
  const isInGroup = (row: Row): boolean => groups.byId.has(key(row, 'parent'));
  for (const row of [...data.monitors].sort((a, b) => Number(isInGroup(b)) - Number(isInGroup(a)))) {
    const title = text(row, 'name');
    const group = groups.byId.get(key(row, 'parent'));
    if (isGroup(row)) names.set(key(row, 'id'), groups.byId.get(key(row, 'id'))?.name ?? title);
    else if (text(row, 'type') === 'push') names.set(key(row, 'id'), heartbeats(title));
    else {
      const name = checks(title, group?.name ?? '');
      names.set(key(row, 'id'), name);
      // The names of checks in groups are taken outside of groups.
      if (group) checks(name);
    }
  }
  return names;
};

/** Returns tags for the groups that notify, or that a status page shows. */
const referredGroupTags = ({ data, groups, channelNames }: Context): ReadonlyMap<string, string> => {
  const shown = new Set(data.groupMonitors.map((row) => key(row, 'monitor_id')));
  const notifying = new Set(
    data.monitorNotifications
      .filter((row) => channelNames.has(key(row, 'notification_id')))
      .map((row) => key(row, 'monitor_id')),
  );
  return new Map(
    [...groups.byId]
      .filter(([id]) => shown.has(id) || notifying.has(id))
      .map(([id, { tags }]) => [id, tags.at(-1) ?? '']),
  );
};

const channelsByMonitor = ({ data, channelNames }: Context): ReadonlyMap<string, string[]> =>
  new Map(
    [...rowsBy(data.monitorNotifications, 'monitor_id')].map(([id, rows]) => [
      id,
      [...new Set(rows.map((row) => channelNames.get(key(row, 'notification_id'))))]
        .filter((name) => name !== undefined)
        .slice(0, 50),
    ]),
  );

/** Returns a function that gives what is known about the certificate of a monitor. */
const certificateFacts = (data: KumaData) => {
  const setting = data.settings.find((row) => text(row, 'key') === 'tlsExpiryNotifyDays');
  const days: unknown = setting ? parsed(text(setting, 'value')) : CERTIFICATE_DAYS;
  const valid = (Array.isArray(days) ? days : [])
    .map(Number)
    .filter((count) => Number.isInteger(count) && count >= 0 && count <= 3_650);
  const certificateDays = valid.length > 0 ? Math.min(...valid) : null;
  const found = new Map(data.certificates.map((row) => [key(row, 'monitor_id'), json(row, 'info_json')]));
  return (id: string) => {
    const info = found.get(id);
    const trusted = isRow(info) && typeof info['valid'] === 'boolean' ? info['valid'] : null;
    return { certificateDays, certificateTrusted: trusted };
  };
};

const remarkUnmapped = (row: Row, name: string, remarks: Remarks): void => {
  if (text(row, 'description').trim() !== '') {
    remarks.about(
      name,
      'has a description, which checks do not have. A tag or the description of a component can replace it.',
    );
  }
  if ((number(row, 'resend_interval') ?? 0) > 0) {
    remarks.about(
      name,
      'repeats notifications while it is down. Uptrail notifies once at the start and once at the end of an alert.',
    );
  }
  if (isOn(row, 'cache_bust')) {
    remarks.about(name, 'adds a random parameter to its URL. Send the header Cache-Control: no-cache instead.');
  }
  if (isOn(row, 'domain_expiry_notification') && ['http', 'keyword', 'json-query', 'dns'].includes(text(row, 'type'))) {
    remarks.about(
      name,
      'notifies before its domain expires. A dns check with whois_lookup and domain_expiration_threshold does so.',
    );
  }
};

interface CheckParts {
  draft: Draft;
  group: string | undefined;
  tags: string[];
  remarks: Remarks;
}

const checkOf = (row: Row, name: string, { draft, group, tags, remarks }: CheckParts): CheckEntry => {
  const { paused = false, parameters, ...target } = draft;
  const assertions = parameters['assertions'] as { min_certificate_days?: number } | undefined;
  if (assertions?.min_certificate_days !== undefined) {
    remarks.add(
      `Notifications before certificates expire became an assertion: a check of an https URL fails when its certificate is valid for less than ${assertions.min_certificate_days} days.`,
    );
  }
  return {
    name,
    ...target,
    interval: intervalOf(name, secondsBetween({ row }), remarks),
    active: isOn(row, 'active', true) && !paused,
    parameters,
    tags,
    group: group ?? null,
  };
};

const ruleOf = (name: string, row: Row, remarks: Remarks) => {
  const retries = Math.max(0, number(row, 'maxretries') ?? 0);
  const between = number(row, 'retry_interval') ?? 0;
  if (retries > 0 && between > 0 && between !== secondsBetween({ row })) {
    remarks.about(name, 'is confirmed by runs at its usual interval; retries have no interval of their own.');
  }
  return {
    name,
    condition: 'check_failed',
    severity: 'high',
    confirmations: confirmationsOf(name, retries, remarks),
    // Uptime Kuma notifies of every outage, however soon it follows the last one.
    cooldown_period: 0,
  };
};

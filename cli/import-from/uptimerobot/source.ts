import type { CheckEntry, HeartbeatEntry, RuleEntry } from '../../configuration/model.ts';
import type { Imported } from '../imported.ts';
import { tagOf, tagsOf, uniqueNames } from '../naming.ts';
import type { TextFile } from '../read-texts.ts';
import { createRemarks, type Remarks } from '../remarks.ts';
import { confirmationsOf } from '../schedule.ts';
import { checkOf } from './checks.ts';
import { channelsOf } from './contacts.ts';
import { readCsv } from './csv.ts';
import { readJson, type RobotExport } from './json.ts';
import type { RobotMonitor } from './monitor.ts';

const SHORTEST = 60;
const LONGEST = 7_776_000;

/**
 * Reads exports of monitors of UptimeRobot, as CSV or as JSON.
 *
 * @throws OperatorError a file has another format; the message names the file
 */
export const read = (files: readonly TextFile[]): Imported => {
  const remarks = createRemarks();
  const exports = files.map(({ name, text }): RobotExport =>
    /^\s*[[{]/.test(text.replace(/^\ufeff/, ''))
      ? readJson(name, text.replace(/^\ufeff/, ''))
      : { ...readCsv(name, text), contacts: [] },
  );
  const channels = channelsOf(
    exports.flatMap(({ contacts }) => contacts),
    remarks,
  );
  const monitors = joined(exports.flatMap((one) => one.monitors));
  return {
    configuration: { ...objectsOf(monitors, channels.names, remarks), channels: channels.entries },
    unmapped: [...exports.flatMap(({ unmapped }) => unmapped), ...remarks.sentences()],
  };
};

/**
 * Joins the monitors that several files contain. Version 3 of the API has the most settings, but only version 2 has the
 * contacts.
 */
const joined = (monitors: readonly RobotMonitor[]): RobotMonitor[] => {
  const byId = new Map<string, RobotMonitor>();
  for (const [index, monitor] of monitors.entries()) {
    const key = monitor.id === '' ? `without id ${index}` : monitor.id;
    const known = byId.get(key) ?? monitor;
    const [best, other] = known.isVersion3 && !monitor.isVersion3 ? [known, monitor] : [monitor, known];
    byId.set(key, { ...best, contacts: best.contacts.length > 0 ? best.contacts : other.contacts });
  }
  return [...byId.values()];
};

const objectsOf = (monitors: readonly RobotMonitor[], channelNames: ReadonlyMap<string, string>, remarks: Remarks) => {
  const naming = uniqueNames('Monitor');
  const heartbeatNaming = uniqueNames('Monitor');
  const ruleNaming = uniqueNames('Rule');
  const checks: CheckEntry[] = [];
  const heartbeats: HeartbeatEntry[] = [];
  const rules: RuleEntry[] = [];
  for (const monitor of monitors) {
    const notified = monitor.contacts.filter(({ key }) => channelNames.has(key));
    const channels = notified.map(({ key }) => channelNames.get(key) ?? '');
    if (monitor.type === 'heartbeat') {
      heartbeats.push(heartbeatOf(monitor, heartbeatNaming(monitor.name), channels));
      continue;
    }
    const check = checkOf(monitor, naming(monitor.name), remarks);
    if (check === null) continue;
    checks.push(check);
    if (channels.length === 0) continue;
    const delays = notified.map(({ delay }) => delay);
    rules.push(ruleOf(monitor, { check, name: ruleNaming(check.name), channels, delays, remarks }));
  }
  if (heartbeats.length > 0) {
    remarks.add('Heartbeats have ping addresses of their own. Put the address of each heartbeat into its job.');
  }
  if (checks.length > 0 && rules.length === 0) {
    remarks.add(
      'The export contains no addresses of alert contacts. Create a channel, and a rule by tag that notifies of all checks with the tag.',
    );
  }
  return { checks, heartbeats, rules };
};

const within = (seconds: number): number => Math.min(LONGEST, Math.max(SHORTEST, Math.round(seconds)));

const heartbeatOf = (monitor: RobotMonitor, name: string, channels: string[]): HeartbeatEntry => ({
  name,
  period_seconds: within(monitor.interval),
  grace_seconds: within(monitor.grace ?? SHORTEST),
  active: monitor.active,
  tags: tagsOf(monitor.tags.map((tag) => tagOf(tag))),
  channels,
});

interface RuleParts {
  check: CheckEntry;
  name: string;
  channels: string[];
  /** minutes after which each channel is notified */
  delays: number[];
  remarks: Remarks;
}

/** Maps the shortest delay of the contacts, in minutes, to runs that must fail in a row. */
const ruleOf = (monitor: RobotMonitor, { check, name, channels, delays, remarks }: RuleParts): RuleEntry => {
  const delay = Math.min(...delays);
  const retries = delay > 0 ? Math.ceil((delay * 60) / Math.max(monitor.interval, 1)) : 0;
  return {
    name,
    condition: 'check_failed',
    severity: 'high',
    confirmations: confirmationsOf(name, retries, remarks),
    cooldown_period: 0,
    check: check.name,
    channels,
  };
};

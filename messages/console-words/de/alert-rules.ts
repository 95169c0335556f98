import { plurals } from '../../words/plurals.ts';
import type { AlertRuleWords, RuleSentenceFacts } from '../words/alert-rules.ts';

/** Forms used after the word `in`: `in 2 Läufen`. */
const inRuns = plurals('de', { one: 'Lauf', other: 'Läufen' });
const inRegions = plurals('de', { one: 'Region', other: 'Regionen' });
const ofChecks = plurals('de', { one: 'Prüfung hat', other: 'Prüfungen haben' });
const ofChannels = plurals('de', { one: 'weiterer Kanal', other: 'weitere Kanäle' });
const severities = { low: 'gering', medium: 'mittel', high: 'hoch', critical: 'kritisch' };

const subject = ({ check, tag }: RuleSentenceFacts): string => check ?? `eine Prüfung mit dem Schlagwort ${tag}`;

/**
 * Returns the part of a sentence that says in how many regions and how many times in a row the condition must be met.
 */
const where = ({ mode, regions, confirmations }: RuleSentenceFacts): string =>
  ({
    any_region: 'in irgendeiner Region',
    all_regions: 'in allen Regionen',
    majority: 'in den meisten Regionen',
    specific_count: `in mindestens ${inRegions(regions)}`,
  })[mode] + (confirmations > 1 ? `, in ${inRuns(confirmations)} nacheinander,` : '');

const clause = (rule: RuleSentenceFacts): string => {
  switch (rule.condition) {
    case 'check_failed':
      return `${subject(rule)} ${where(rule)} fehlschlägt`;
    case 'check_timeout':
      return `${subject(rule)} ${where(rule)} das Zeitlimit überschreitet`;
    case 'check_degraded':
      return `${subject(rule)} ${where(rule)} länger als ${rule.limit} braucht`;
    case 'consecutive_failures':
      return `${subject(rule)} ${inRuns(rule.count)} nacheinander ${where(rule)} nicht besteht`;
    case 'uptime_below_threshold':
      return `die Verfügbarkeit (${rule.check ?? `Prüfung mit dem Schlagwort ${rule.tag}`}) über ${rule.window} ${where(rule)} unter ${rule.threshold} liegt`;
  }
};

export const alertRules: AlertRuleWords = {
  title: 'Regeln',
  add: 'Neue Regel',
  addTitle: 'Neue Alarmregel',
  none: 'Noch keine Alarmregeln',
  noneText: 'Eine Regel sagt, welche Kanäle benachrichtigt werden, wenn eine Prüfung fehlschlägt.',
  noMatch: 'Keine Regel entspricht dem Filter.',
  search: 'Regeln suchen',
  rule: 'Regel',
  effect: 'Was sie tut',
  state: 'Zustand',
  sentences: (rule) => [
    `Wenn ${clause(rule)}, beginnt ein Alarm (Schwere: ${severities[rule.severity]}).`.replace(',,', ','),
    ...(rule.channels === '' ? [] : [`Benachrichtigt: ${rule.channels}.`]),
    rule.autoResolve
      ? `Er endet, sobald das ${rule.recoveries === 1 ? 'in einem Lauf' : `in ${inRuns(rule.recoveries)} nacheinander`} nicht mehr so ist.`
      : 'Er dauert, bis ihn jemand beendet.',
    ...(rule.cooldown === null ? [] : [`Der nächste beginnt frühestens ${rule.cooldown} nach ihm.`]),
  ],
  moreChannels: ofChannels,
  enabled: 'ein',
  disabled: 'aus',
  enable: 'Einschalten',
  disable: 'Ausschalten',
  mutedUntil: 'stumm bis',
  muteFor: (duration) => `Stummschalten für ${duration}`,
  unmute: 'Stummschaltung beenden',
  quietBy: 'still während der Wartung:',
  ofTag: 'Schlagwort',
  deleteTitle: (name) => `Die Regel ${name} löschen?`,
  deleteText: 'Ihre aktiven Alarme werden beendet. Frühere Alarme bleiben.',
  watches: 'Was sie beobachtet',
  about: 'Sie beobachtet',
  abouts: { check: 'Eine Prüfung', tag: 'Jede Prüfung mit einem Schlagwort' },
  check: 'Prüfung',
  findCheck: 'Tippen Sie einen Teil des Namens',
  tag: 'Schlagwort',
  tagHint: 'Jede Prüfung hat ihren eigenen Alarm, auch Prüfungen, die das Schlagwort später bekommen.',
  tagged: (count) => `${ofChecks(count)} jetzt dieses Schlagwort.`,
  when: 'Wann sie auslöst',
  condition: 'Bedingung',
  conditions: {
    check_failed: 'Ein Lauf schlägt fehl',
    consecutive_failures: 'Mehrere Läufe nacheinander schlagen fehl',
    check_timeout: 'Ein Lauf überschreitet das Zeitlimit',
    check_degraded: 'Ein Lauf dauert zu lange',
    uptime_below_threshold: 'Die Verfügbarkeit ist zu niedrig',
  },
  limit: 'Antwortzeit über',
  count: 'Fehlgeschlagene Läufe nacheinander',
  threshold: 'Verfügbarkeit unter',
  window: 'Gemessen über die letzten',
  mode: 'In wie vielen Regionen',
  modes: {
    any_region: 'In irgendeiner Region',
    majority: 'In den meisten Regionen',
    all_regions: 'In allen Regionen',
    specific_count: 'In einer Anzahl von Regionen',
  },
  regions: 'Regionen mindestens',
  confirmations: 'Läufe nacheinander, bevor sie auslöst',
  confirmationsHint: 'Zwei oder mehr verhindern, dass ein einzelner schlechter Lauf jemanden weckt.',
  then: 'Wer benachrichtigt wird',
  channels: 'Kanäle',
  noChannels: 'Es gibt noch keine Alarmkanäle.',
  addChannel: 'Neuer Kanal',
  end: 'Wie es endet',
  autoResolve: 'Den Alarm beenden, wenn es vorbei ist',
  recoveries: 'Gute Läufe nacheinander, bevor er endet',
  cooldown: 'Zeit zwischen zwei Alarmen',
  cooldownHint: 'Gerechnet ab dem Beginn des vorigen Alarms.',
  mutedUntilField: 'Stumm bis',
  mutedUntilHint: 'Bis dahin werden Alarme aufgeführt, aber niemand wird benachrichtigt.',
  enabledField: 'Die Regel ist eingeschaltet',
  nameExample: 'Shop ist ausgefallen',
  alertsOfRule: 'Alarme dieser Regel',
};

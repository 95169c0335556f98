import type { Reference, RuleEntry } from '../../configuration/model.ts';
import { flagIn, integerIn, mappingsIn, requiredTextIn, textIn } from '../mapping/fields.ts';
import type { Draft } from '../mapping/draft.ts';
import type { Mapping } from '../read-yaml.ts';
import type { Channels } from './channels.ts';
import type { Endpoint } from './types/monitored.ts';

/** A check for which rules are created. */
export interface WatchedCheck {
  reference: Reference;
  name: string;
  slowAfter: number | null;
  isMain: boolean;
}

/** An alert of an endpoint, with the values of the default alert of its provider. */
export interface EndpointAlert {
  channel: string;
  enabled: boolean;
  failures: number;
  successes: number;
  description: string | null;
}

const DEFAULT_FAILURES = 3;
const DEFAULT_SUCCESSES = 2;
const MAX_CONFIRMATIONS = 10;
const MAX_FAILURES = 100;

/** Reads the alerts of an endpoint. Alerts whose provider has no equivalent are left out with a sentence. */
export const alertsOf = (
  section: Mapping,
  group: string,
  channels: Channels,
  note: (sentence: string) => void,
  label: string,
): EndpointAlert[] =>
  mappingsIn(section, 'alerts').flatMap((alert) => {
    const type = requiredTextIn(alert, 'type');
    const channel = channels.channelOf(type, group, alert);
    if (channel === null) return [];
    const defaults = channels.defaultAlertOf(type, group);
    const sources = [alert, defaults];
    const first = <T>(readField: (mapping: Mapping) => T | undefined): T | undefined =>
      sources.map(readField).find((value) => value !== undefined);
    if (first((mapping) => flagIn(mapping, 'send-on-resolved')) !== true)
      note(
        'Gatus sends some alerts only at their start (send-on-resolved is not true); Uptrail also reports their end.',
      );
    if (first((mapping) => textIn(mapping, 'minimum-reminder-interval')) !== undefined)
      note(
        `Alerts of "${label}" are repeated (minimum-reminder-interval), which Uptrail does not do; acknowledge alerts instead.`,
      );
    return {
      channel,
      enabled: first((mapping) => flagIn(mapping, 'enabled')) ?? true,
      failures: Math.max(1, first((mapping) => integerIn(mapping, 'failure-threshold')) || DEFAULT_FAILURES),
      successes: Math.max(1, first((mapping) => integerIn(mapping, 'success-threshold')) || DEFAULT_SUCCESSES),
      description: first((mapping) => textIn(mapping, 'description')) ?? null,
    };
  });

/** Adds the alert rules for the checks of an endpoint. Alerts that differ only in their channels share a rule. */
export const addAlertRules = (
  draft: Draft,
  channels: Channels,
  { section, label, group, endpoint }: { section: Mapping; label: string; group: string; endpoint: Endpoint },
  watched: readonly WatchedCheck[],
): void => {
  const rules = new Map<string, { alert: EndpointAlert; channels: Set<string> }>();
  for (const alert of alertsOf(section, group, channels, draft.note, label)) {
    const { channel, ...settings } = alert;
    const rule = rules.get(JSON.stringify(settings)) ?? { alert, channels: new Set() };
    rules.set(JSON.stringify(settings), rule);
    rule.channels.add(channel);
  }
  for (const { reference, name, slowAfter } of watched) {
    const isSlow = slowAfter !== null && slowAfter < endpoint.timeout * 1_000;
    if (isSlow && rules.size === 0)
      endpoint.note(
        `must respond within ${slowAfter} ms; without an alert, create a rule with the condition check_degraded.`,
      );
    const display = group === '' ? name : `${group}/${name}`;
    for (const { alert, channels: names } of rules.values()) {
      const common = { check: reference, channels: [...names], enabled: alert.enabled };
      draft.addRule({ ...common, ...failureRule(alert, display, endpoint.note) });
      if (isSlow) draft.addRule({ ...common, ...slowRule(alert, display, slowAfter) });
    }
  }
};

const recovery = ({ successes }: EndpointAlert): object => ({
  recovery_confirmations: Math.min(MAX_CONFIRMATIONS, successes),
});

const failureRule = (
  alert: EndpointAlert,
  name: string,
  note: (rest: string) => void,
): Pick<RuleEntry, 'name'> & Record<string, unknown> => {
  const { failures, successes, description } = alert;
  if (failures > MAX_FAILURES) note(`alerts after ${failures} failures; its rule alerts after ${MAX_FAILURES}.`);
  if (successes > MAX_CONFIRMATIONS)
    note(`recovers after ${successes} successes; its rule recovers after ${MAX_CONFIRMATIONS}.`);
  const condition =
    failures > MAX_CONFIRMATIONS
      ? { condition: 'consecutive_failures', condition_parameters: { count: Math.min(MAX_FAILURES, failures) } }
      : { condition: 'check_failed', confirmations: failures };
  return { name: `${name}: ${description ?? 'down'}`, ...condition, ...recovery(alert), cooldown_period: 0 };
};

const slowRule = (
  alert: EndpointAlert,
  name: string,
  slowAfter: number,
): Pick<RuleEntry, 'name'> & Record<string, unknown> => ({
  name: `${name}: slow`,
  condition: 'check_degraded',
  condition_parameters: { response_time: slowAfter },
  confirmations: Math.min(MAX_CONFIRMATIONS, alert.failures),
  ...recovery(alert),
  cooldown_period: 0,
});

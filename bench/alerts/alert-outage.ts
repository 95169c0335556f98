/**
 * Creates the events of an outage of many checks: the checks, their alert rules and channels, and the alerts that fire.
 */
import {
  channelField,
  channelKey,
  sealTexts,
  type ChannelTypeName,
  type Configuration,
} from '../../domain/alert-channel/configuration.ts';
import { alertIdOf } from '../../domain/alert/identity.ts';
import type { EventOf, EventType } from '../../domain/event-types.ts';
import { NO_GROUP } from '../../domain/check/state.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import { channelTypeOf } from '../../notifiers/channels/index.ts';
import type { Deployment } from '../../service/deployment.ts';
import { ORGANIZATION } from '../tools/result-samples.ts';

const AT_ONCE = 200;
const CHANNELS = { webhook: derivedId('bench webhook'), telegram: derivedId('bench telegram') };

/** Appends one event to each of many streams. */
const appendAll = async (
  { main }: Pick<Deployment, 'main'>,
  events: readonly { stream: string; event: EventOf<EventType> }[],
): Promise<bigint> => {
  let last = 0n;
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const page = events.slice(from, from + AT_ONCE).map(async ({ stream, event }) => {
      const id = derivedUuid(`${stream}/${event.type}`);
      const made = systemEvent(event, { id, by: 'bench', organizationId: ORGANIZATION, now: instantOf(Date.now()) });
      const { position } = await main.append(stream, [made], 'any');
      if (position > last) last = position;
    });
    await Promise.all(page);
  }
  return last;
};

const checkIdOf = (index: number): string => derivedId(`bench check ${index}`);
const ruleIdOf = (index: number): string => derivedId(`bench rule ${index}`);

const rule = (index: number) =>
  ({
    name: `Check ${index} fails`,
    check_id: checkIdOf(index),
    condition: 'check_failed',
    condition_parameters: {},
    tag: null,
    multi_region_mode: 'any_region',
    multi_region_threshold: null,
    severity: 'high',
    channel_ids: Object.values(CHANNELS),
    cooldown_period: 300,
    auto_resolve: true,
    enabled: true,
    confirmations: 1,
    recovery_confirmations: 1,
  }) as const;

/** Creates checks, one alert rule per check, and the channels that all rules notify. The channels send to `url`. */
export const setUpOutage = async (deployment: Deployment, checks: number, url: string): Promise<void> => {
  const { keys } = deployment;
  const channel = async (type: ChannelTypeName, channel_id: string, configuration: Configuration) => {
    const sealedFields = Object.keys(channelTypeOf(type)?.sealed ?? {});
    const sealed = await sealTexts(configuration, sealedFields, (text, place) =>
      keys.seal(channelKey(channel_id), text, { organizationId: ORGANIZATION, field: channelField(place) }),
    );
    const fields = { name: type, type, configuration: sealed, enabled: true };
    const data = { channel_id, organization_id: ORGANIZATION, channel: fields };
    return { stream: `alert_channel-${channel_id}`, event: { type: 'AlertChannelCreated', data } as const };
  };
  const hook = { url: `${url}/hook`, method: 'POST', headers: {}, body_template: null, secret: null } as const;
  await appendAll(deployment, [
    await channel('webhook', CHANNELS.webhook, hook),
    await channel('telegram', CHANNELS.telegram, { bot_token: '1:token', chat_id: '-100' }),
  ]);
  await appendAll(
    deployment,
    Array.from({ length: checks }, (_, index) => {
      const check_id = checkIdOf(index);
      const settings = {
        interval: 60,
        timeout: 10,
        host: null,
        url: 'http://127.0.0.1:9/',
        port: null,
        parameters: {},
        ...NO_GROUP,
        tags: [],
        secrets: [],
      };
      const named = { check_id, organization_id: ORGANIZATION, type: 'web', name: `Check ${index}` };
      return {
        stream: `check-${check_id}`,
        event: { type: 'CheckCreated', data: { ...named, active: true, ...settings } },
      };
    }),
  );
  await appendAll(
    deployment,
    Array.from({ length: checks }, (_, index) => {
      const rule_id = ruleIdOf(index);
      const data = { rule_id, organization_id: ORGANIZATION, rule: rule(index) };
      return { stream: `alert_rule-${rule_id}`, event: { type: 'AlertRuleCreated', data } as const };
    }),
  );
};

/** Fires the alerts of all rules. */
export const fireAlerts = (deployment: Deployment, checks: number): Promise<bigint> =>
  appendAll(
    deployment,
    Array.from({ length: checks }, (_, index) => {
      const rule_id = ruleIdOf(index);
      const alert_id = alertIdOf(rule_id, 1);
      const { name: rule_name, check_id, condition, condition_parameters, severity, channel_ids } = rule(index);
      const check_name = `Check ${index}`;
      const data: EventOf<'AlertFired'>['data'] = {
        ...{ alert_id, organization_id: ORGANIZATION, number: 1, rule_id, rule_name, check_id, check_name },
        ...{ check_type: 'web', severity, condition, condition_parameters, channel_ids: [...channel_ids] },
        title: `${check_name} is down`,
        description: `The check ${check_name} has failed.`,
        fired_at: instantOf(Date.now()),
        trigger_results: [],
        regional_summary: [],
        alert_metadata: {},
      };
      return { stream: `alert-${alert_id}`, event: { type: 'AlertFired', data } };
    }),
  );

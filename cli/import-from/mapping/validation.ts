import { NewAlertChannelBody } from '../../../api/v1/alerts/channels/schema.ts';
import { NewAlertRuleBody } from '../../../api/v1/alerts/rules/schema.ts';
import { NewCheck } from '../../../api/v1/checks/schema.ts';
import { NewHeartbeat } from '../../../api/v1/heartbeats/schema.ts';
import { defaultPortOf, incompleteFields } from '../../../domain/check/definition.ts';
import { CHECK_DEFAULTS } from '../../../domain/check/state.ts';
import { scheduleProblem } from '../../../domain/heartbeat/schedule.ts';
import type { Fields } from '../../../domain/fields.ts';
import { compile } from '../../../http/routes/validate.ts';
import { readConfiguration } from '../../../notifiers/channels/configuration.ts';
import { channelTypeOf } from '../../../notifiers/channels/index.ts';
import { urlProblem, validateSettings, type WebhookRules } from '../../../notifiers/webhook/settings.ts';
import type { CheckEntry, HeartbeatEntry, NamedEntry, RuleEntry } from '../../configuration/model.ts';
import { omit } from './omit.ts';

const SOME_ID = 'a'.repeat(12);

const validators = {
  check: compile(NewCheck),
  heartbeat: compile(NewHeartbeat),
  channel: compile(NewAlertChannelBody),
  rule: compile(NewAlertRuleBody),
};

type Messages = Readonly<Record<string, readonly string[]>>;

/** A reference to an environment variable in a value. `uptrail apply` replaces it. */
const VARIABLE = /\$\{env:[^}]*\}/g;

/** Replaces variables by a text that is valid in most places. */
const withoutVariables = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? filled(inner) : inner))) as T;

const filled = (text: string): string => text.replace(VARIABLE, 'x');

/** Returns whether the value of a field consists of a variable, so that its value is not known yet. */
const isVariable = (entry: unknown, field: string): boolean => {
  let value = entry;
  for (const key of field.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'string' && value.replace(VARIABLE, '') !== value;
};

const sentences = (entry: unknown, messages: Messages): string[] =>
  Object.entries(messages)
    .filter(([field]) => !isVariable(entry, field))
    .map(([field, words]) => `${field}: ${words.join(' ')}`);

/** Returns what the API would refuse in a check. */
export const problemsOfCheck = (check: CheckEntry): string[] => {
  const body = withoutVariables<Fields>({ ...omit(check, 'group'), name: 'name' });
  const parameters = (body['parameters'] ?? {}) as Record<string, unknown>;
  const definition = { ...CHECK_DEFAULTS, url: null, host: null, port: defaultPortOf(check.type), ...body, parameters };
  const messages = validators.check(structuredClone(body)) ?? incompleteFields(check.type, definition);
  return sentences(check, messages);
};

/** Returns what the API would refuse in a heartbeat. */
export const problemsOfHeartbeat = (heartbeat: HeartbeatEntry): string[] => {
  const messages = validators.heartbeat(withoutVariables({ ...omit(heartbeat, 'channels'), name: 'name' })) ?? {};
  const schedule = heartbeat['schedule'];
  const problem = typeof schedule === 'string' ? scheduleProblem(schedule) : null;
  return sentences(heartbeat, { ...messages, ...(problem !== null && { schedule: [problem] }) });
};

/** Returns what the API would refuse in a channel. */
export const problemsOfChannel = (channel: NamedEntry & { type: string; configuration: Fields }): string[] => {
  const body = withoutVariables(channel);
  const messages = validators.channel(structuredClone(body));
  if (messages) return sentences(channel, messages);
  const found = readConfiguration(body.type, body.configuration, null);
  return sentences(channel, 'problems' in found ? found.problems : settingsProblems(body.type, found.configuration));
};

/** The service that gets the channel applies its own policy to addresses, which is unknown here. */
const ANY_ADDRESS: WebhookRules = { policyName: 'internal', policy: { refusal: () => null } as never };

/** Validates what the notifier of a channel validates, except for the policy for addresses. */
const settingsProblems = (typeName: string, configuration: Fields): Messages => {
  const type = channelTypeOf(typeName);
  const [receiver] = type?.receivers(configuration, null) ?? [];
  if (!type || !receiver) return {};
  const problems =
    typeName === 'webhook'
      ? validateSettings(receiver.settings, ANY_ADDRESS)
      : (type.sender?.validate(receiver.settings, (url) => urlProblem(url, ANY_ADDRESS)) ?? {});
  return Object.fromEntries(
    Object.entries(problems).map(([field, words]) => [`configuration.${type.renamedFields[field] ?? field}`, words]),
  );
};

/** Returns what the API would refuse in an alert rule. */
export const problemsOfRule = (rule: RuleEntry): string[] => {
  const body = { ...omit(rule, 'check', 'channels'), check_id: SOME_ID, channel_ids: rule.channels.map(() => SOME_ID) };
  return sentences(rule, validators.rule(withoutVariables(body)) ?? {});
};

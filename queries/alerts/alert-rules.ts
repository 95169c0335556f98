import { changedFields } from '../../domain/changes.ts';
import { missingParameters, ruleProblems, type RuleProblems } from '../../domain/alert-rule/problems.ts';
import type { AlertRuleFields } from '../../domain/alert-rule/fields.ts';
import { withDefaults, type AlertRuleInput } from '../../domain/alert-rule/settings.ts';
import { mutedUntil } from '../../domain/mute.ts';
import { DAY_MS, millisecondsOf } from '../../domain/time.ts';
import type { AlertRuleDocument } from '../../projections/alert-rules/documents.ts';
import { alertRules } from '../../projections/alert-rules/projection.ts';
import { checks } from '../../projections/checks/projection.ts';
import { showChannels, findChannels, type AlertChannelView } from './alert-channels.ts';
import { ownChecks } from '../checks/find.ts';
import type { RevealOptions } from '../checks/secrets.ts';
import { exactly, oneOfWhere, type Match } from '../engine/filters.ts';
import { joinItems, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import { readSuppressions } from '../suppression.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';

/** A rule with its related objects. */
export interface AlertRuleView extends AlertRuleDocument {
  /** null: the rule is by tag */
  check_name: string | null;
  /** existing channels, in the order of the rule */
  channels: readonly AlertChannelView[];
  /** the maintenance in progress that suppresses the rule; for a rule by tag, one that names the tag */
  suppressed_by: { incident_id: string; name: string } | null;
}

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'keys' | 'now'>;

/** Matches rules that name a check, and rules by one of its tags. */
const aboutCheck: Match<{ id: string; tags: readonly string[] }> = (_, { id, tags }) =>
  oneOfWhere([{ check_id: id }, ...(tags.length > 0 ? [{ tag: { $in: tags } }] : [])]);

const alsoByTag: Match<boolean> = (_, also) => (also ? {} : { tag: null });

const own = ownDocuments((read) => read(alertRules).alert_rules, 'alert rule', {
  sort: { created_at: -1 },
  filters: { check_id: aboutCheck, tag: exactly, by_tag: alsoByTag },
});

/** A stored rule. @throws NotFound */
export const findAlertRule = own.one;

/**
 * @param views of channels by id, if they were read before
 * @throws NotFound
 */
export const showAlertRule = async (
  scope: QueryScope,
  ruleId: string,
  revealing: RevealOptions,
  views: typeof showChannels = showChannels,
): Promise<AlertRuleView> => {
  const rule = await own.one(scope, ruleId);
  return (await detailing(scope, [rule], revealing, views))(rule);
};

export interface AlertRuleFilters {
  /** rules that name the check; with `by_tag`, also rules by one of its tags */
  check_id?: string;
  /** rules by this tag */
  tag?: string;
  /** include rules by tag, which older clients cannot handle; default: only with `tag` */
  by_tag?: boolean;
}

/** Ids of the rules of each of these checks; omits checks without any. */
export const findRulesOfChecks = async (
  { read, organizationId }: ReadScope,
  checkIds: readonly string[],
): Promise<Map<string, string[]>> => {
  const rules = new Map<string, string[]>();
  for (let first = 0; first < checkIds.length; first += PAGE) {
    const where = { check_id: { $in: checkIds.slice(first, first + PAGE) }, organization_id: organizationId };
    for (const { id, check_id } of await read(alertRules).alert_rules.pick(['id', 'check_id'], { where })) {
      if (check_id !== null) rules.set(check_id, [...(rules.get(check_id) ?? []), id]);
    }
  }
  return rules;
};

/** Checks per query. */
const PAGE = 250;

/** The rules of the organization, newest first. */
export const listAlertRules = async (
  scope: QueryScope,
  { check_id, tag, by_tag = tag !== undefined }: AlertRuleFilters,
  paging: Paging,
  revealing: RevealOptions,
): Promise<Listing<AlertRuleView>> => {
  const about =
    check_id === undefined ? {} : { check_id: { id: check_id, tags: by_tag ? await tagsOf(scope, check_id) : [] } };
  const filters = { ...about, ...(tag !== undefined && { tag }), by_tag };
  return joinItems(await own.list(scope, filters, paging), (rules) => detailing(scope, rules, revealing));
};

/** The tags of one of the organization's checks; none if it does not exist. */
const tagsOf = async (scope: QueryScope, checkId: string): Promise<readonly string[]> => {
  const check = await scope.read(checks).checks.get(checkId);
  return ownChecks.isThere(check, scope) ? check.tags : [];
};

/** Reads the related objects of several rules together. */
const detailing = async (
  scope: QueryScope,
  rules: readonly AlertRuleDocument[],
  revealing: RevealOptions,
  views: typeof showChannels = showChannels,
) => {
  const checkIds = [...new Set(rules.flatMap(({ check_id }) => check_id ?? []))];
  const watched = await scope.read(checks).checks.getMany(checkIds);
  // A rule by tag is suppressed while a maintenance names the tag itself.
  const byTag = rules.flatMap(({ id, organization_id, tag }) =>
    tag === null ? [] : { id, organization_id, tags: [tag] },
  );
  const [quiet, channels] = await Promise.all([
    readSuppressions(scope.read, [...watched, ...byTag]),
    views(scope, [...new Set(rules.flatMap(({ channel_ids }) => channel_ids))], revealing),
  ]);
  const names = new Map(watched.map(({ id, name }) => [id, name]));
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  return (rule: AlertRuleDocument): AlertRuleView => {
    const existing = rule.channel_ids.map((id) => byId.get(id)).filter((channel) => channel !== undefined);
    // A channel that was deleted while it was added to the rule is omitted.
    const channel_ids = existing.map(({ id }) => id);
    const suppressing = quiet.get(rule.check_id ?? rule.id) ?? null;
    return {
      ...rule,
      muted_until: mutedUntil(rule.muted_until, scope.now),
      check_name: names.get(rule.check_id ?? '') ?? null,
      channel_ids,
      channels: existing,
      suppressed_by: suppressing && { incident_id: suppressing.incident_id, name: suppressing.name },
    };
  };
};

/**
 * The input without its channels if they equal the shown ones, so that a client can send back a rule that it has read.
 */
export const withoutUnchangedChannels = async (
  scope: ReadScope,
  rule: AlertRuleFields,
  input: AlertRuleInput,
): Promise<AlertRuleInput> => {
  if (input.channel_ids === undefined) return input;
  const existing = await findChannels(scope, rule.channel_ids);
  const shown = rule.channel_ids.filter((id) => existing.has(id));
  const { channel_ids, ...others } = input;
  return shown.join() === channel_ids.join() ? others : input;
};

/**
 * Problems of a rule beyond the format of its fields, by field.
 *
 * @param before the present rule, or the defaults of a new one
 */
export const alertRuleProblems = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'now' | 'resultsFrom'>,
  before: AlertRuleFields,
  input: AlertRuleInput,
): Promise<RuleProblems> => {
  const rule = withDefaults(before, input);
  const changed = new Set(Object.keys(changedFields(before, rule)?.changes ?? {}));
  const [check, channels] = await Promise.all([
    rule.check_id === null ? null : scope.read(checks).checks.get(rule.check_id),
    findChannels(scope, rule.channel_ids),
  ]);
  return {
    ...missingParameters(rule),
    ...ruleProblems(rule, changed, {
      check: ownChecks.isThere(check, scope) ? check : null,
      channels: new Set(channels.keys()),
      retentionDays: Math.floor((millisecondsOf(scope.now) - millisecondsOf(scope.resultsFrom())) / DAY_MS),
    }),
  };
};

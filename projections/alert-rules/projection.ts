import type { EventType, RecordedEventOf } from '../../domain/event-types.ts';
import { revisionOf } from '../../domain/revision.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import type { AlertRuleDocument, DeletedCheckDocument, RemovedAlertRuleDocument } from './documents.ts';

interface Models {
  alert_rules: Model<AlertRuleDocument>;
  removed_alert_rules: Model<RemovedAlertRuleDocument>;
  hidden_alert_rules: Model<AlertRuleDocument>;
  deleted_checks: Model<DeletedCheckDocument>;
}

type Removing = RecordedEventOf<Extract<EventType, `AlertRule${string}` | 'CheckDeleted'>>;

const remove = (
  { metadata, position }: Removing,
  rule: AlertRuleDocument,
  { alert_rules, removed_alert_rules, hidden_alert_rules }: Models,
  because: RemovedAlertRuleDocument['because'],
): void => {
  const { id, organization_id, check_id } = rule;
  alert_rules.delete(id);
  if (because === 'check_deleted') hidden_alert_rules.put(rule);
  removed_alert_rules.put({
    id,
    organization_id,
    check_id,
    because,
    removed_at: metadata.recorded_at,
    changed_position: Number(position),
  });
};

/** Stores a rule as visible, or removes it if its check was deleted. */
const show = (event: Removing, rule: AlertRuleDocument, models: Models): void => {
  if (rule.check_id !== null && models.deleted_checks.get(rule.check_id)) remove(event, rule, models, 'check_deleted');
  else models.alert_rules.put(rule);
};

/** Returns the id of a rule's check, to look up the document that exists if the check was deleted. */
const checksIn = ({ check_id }: { check_id?: string | null }) => ({
  ...(typeof check_id === 'string' && { deleted_checks: [check_id] }),
});

/** Deletes the documents of a hidden or removed rule. */
const unhide = (id: string, { removed_alert_rules, hidden_alert_rules }: Models): void => {
  hidden_alert_rules.delete(id);
  removed_alert_rules.delete(id);
};

/** Alert rules. A rule is removed together with its check, and is visible again after the check is restored. */
export const alertRules = defineProjection({
  name: 'alert_rules',
  version: 3,
  log: 'main',
  collections: {
    alert_rules: collection<AlertRuleDocument>({
      indexes: [{ organization_id: 1, created_at: -1 }, { check_id: 1 }, { changed_position: 1 }],
    }),
    removed_alert_rules: collection<RemovedAlertRuleDocument>({ indexes: [{ changed_position: 1 }] }),
    deleted_checks: collection<DeletedCheckDocument>({ indexes: [{ changed_position: 1 }] }),
    // Rules of deleted checks. They become visible again if the check is restored.
    hidden_alert_rules: collection<AlertRuleDocument>({ indexes: [{ check_id: 1 }] }),
  },
  documents: (event) => {
    switch (event.type) {
      case 'CheckDeleted':
      case 'CheckRestored':
        return { deleted_checks: [event.data.check_id] };
      case 'AlertRuleCreated':
        return { alert_rules: [event.data.rule_id], ...checksIn(event.data.rule) };
      case 'AlertRuleUpdated': {
        const { rule_id, changes } = event.data;
        return { alert_rules: [rule_id], hidden_alert_rules: [rule_id], ...checksIn(changes) };
      }
      default:
        return { alert_rules: [event.data.rule_id], hidden_alert_rules: [event.data.rule_id] };
    }
  },
  searches: {
    CheckDeleted: ({ data }) => ({ alert_rules: { where: { check_id: data.check_id } } }),
    CheckRestored: ({ data }) => ({ hidden_alert_rules: { where: { check_id: data.check_id } } }),
  },
  on: {
    AlertRuleCreated: (event, models) => {
      const { data, metadata, position } = event;
      const rule: AlertRuleDocument = {
        id: data.rule_id,
        organization_id: data.organization_id,
        ...data.rule,
        muted_until: null,
        revision: revisionOf(event),
        created_at: metadata.recorded_at,
        updated_at: metadata.recorded_at,
        changed_position: Number(position),
      };
      show(event, rule, models);
    },
    AlertRuleUpdated: (event, models) => {
      const { data, metadata, position } = event;
      const hidden = models.hidden_alert_rules.get(data.rule_id);
      const rule = models.alert_rules.get(data.rule_id) ?? hidden;
      if (!rule) return;
      const changed: AlertRuleDocument = {
        ...rule,
        ...data.changes,
        revision: revisionOf(event),
        updated_at: metadata.recorded_at,
        changed_position: Number(position),
      };
      if (data.changes.check_id !== undefined) {
        if (hidden) unhide(rule.id, models);
        show(event, changed, models);
      } else if (hidden) models.hidden_alert_rules.put(changed);
      else models.alert_rules.put(changed);
    },
    AlertRuleMuted: (event, { alert_rules, hidden_alert_rules }) => {
      const { data, metadata, position } = event;
      const hidden = hidden_alert_rules.get(data.rule_id);
      const rule = alert_rules.get(data.rule_id) ?? hidden;
      if (!rule) return;
      const muted = {
        ...rule,
        muted_until: data.muted_until,
        revision: revisionOf(event),
        updated_at: metadata.recorded_at,
        changed_position: Number(position),
      };
      (hidden ? hidden_alert_rules : alert_rules).put(muted);
    },
    AlertRuleDeleted: (event, models) => {
      const rule = models.alert_rules.get(event.data.rule_id);
      if (rule) remove(event, rule, models, 'rule_deleted');
      else models.hidden_alert_rules.delete(event.data.rule_id);
    },
    CheckDeleted: (event, models) => {
      models.deleted_checks.put({ id: event.data.check_id, changed_position: Number(event.position) });
      for (const rule of models.alert_rules.found) remove(event, rule, models, 'check_deleted');
    },
    CheckRestored: ({ data, position }, models) => {
      models.deleted_checks.delete(data.check_id);
      for (const rule of models.hidden_alert_rules.found) {
        unhide(rule.id, models);
        models.alert_rules.put({ ...rule, changed_position: Number(position) });
      }
    },
  },
});

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ChangedMeanwhile } from '../../parts/form/changed-meanwhile.tsx';
import { useDraft, valuesOf } from '../../parts/form/draft.ts';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { Link } from '../../parts/link.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { ManagedHint } from '../../parts/managed.tsx';
import { navigate } from '../../router/router.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { bodyOf, newRule, valuesOfRule, type Rule } from './draft.ts';
import { WatchedFields, ResolutionFields, NotificationFields, ConditionFields } from './fields.tsx';
import { Sentences } from './sentences.tsx';
import { Simulation } from './simulation/simulation.tsx';
import { describedDraft } from './described-draft.ts';

export interface RuleFormProps {
  /** null: a new rule */
  rule: Rule | null;
  /** query of the URL with initial values for a new rule */
  query: URLSearchParams;
  /** reloads the rule and discards the input */
  onLoad: () => void;
}

/** Creates or changes a rule, and describes its effect in sentences. */
export const RuleForm = ({ rule, query, onLoad }: RuleFormProps): JSX.Element => {
  const { alertRules: says, common } = words.value;
  const of = useSubmit();
  const { draft, changed } = useDraft(rule ? valuesOfRule(rule) : newRule(query), [rule?.id]);
  const checkName = useSignal(rule?.check_name ?? null);
  const release = useUnsaved(changed);
  const { loaded: channels } = useLoaded((signal) => call('GET /v1/alerts/channels', {}, { signal }), []);
  const known = channels.status === 'loaded' ? channels.value : [];
  const list = '/alerts/rules';

  const save = async (isForced = false): Promise<void> => {
    const body = bodyOf(valuesOf(draft));
    if (!rule) await call('POST /v1/alerts/rules', { body });
    else {
      const headers: Record<string, string> = isForced ? {} : { 'If-Match': `"${rule.revision}"` };
      await call('PUT /v1/alerts/rules/{rule_id}', { params: { rule_id: rule.id }, body }, { headers });
    }
    release();
    navigate(list);
  };
  const values = valuesOf(draft);
  return (
    <div class="with-summary">
      <ScreenHead
        title={rule?.name ?? says.addTitle}
        isName={rule !== null}
        of={rule}
        back={{ to: list, label: says.title }}
      >
        {rule && (
          <Link to={`/alerts?status=all&rule_id=${rule.id}`} class="button">
            {says.alertsOfRule}
          </Link>
        )}
      </ScreenHead>
      <div class="rule-and-simulation">
        <Form
          submit={rule ? common.save : common.create}
          of={of}
          onSubmit={save}
          onCancel={() => {
            navigate(list);
          }}
        >
          <ManagedHint of={rule} />
          <ChangedMeanwhile of={of} onLoad={onLoad} onSave={() => save(true)} />
          <p class="rule-says" role="status">
            <Sentences rule={describedDraft(values, checkName.value, known)} />
          </p>
          <WatchedFields draft={draft} of={of} checkName={checkName} />
          <ConditionFields draft={draft} of={of} />
          <NotificationFields draft={draft} of={of} channels={channels} />
          <ResolutionFields draft={draft} of={of} />
        </Form>
        {may('POST /v1/alerts/rules/simulate') && <Simulation draft={draft} of={of} />}
      </div>
    </div>
  );
};

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Failure } from '../../api/failure.ts';
import type { RequestOf } from '../../api/request.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Link } from '../../parts/link.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';
import { durationOf, Moment } from '../../parts/times/since.tsx';
import { ManagedBadge } from '../../parts/managed.tsx';
import { isUnknown } from '../../past/past.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { language, words } from '../../shell/language.ts';
import type { Rule } from './draft.ts';
import { Sentences } from './sentences.tsx';

export interface RulesTableProps {
  rules: readonly Rule[];
  /** called after a rule was changed, or deleted (null) */
  onChange: (id: string, rule: Rule | null) => void;
  /** reloads the rules */
  again: () => void;
}

/** Durations of muting offered in the list, in seconds. */
const MUTES = [3_600, 8 * 3_600, 86_400, 7 * 86_400];

/** The table of rules, described in sentences. */
export const RulesTable = ({ rules, onChange, again }: RulesTableProps): JSX.Element => {
  const { alertRules: says, common } = words.value;
  const failure = useSignal<Failure | null>(null);
  const deleting = useSignal<Rule | null>(null);
  const change = async (
    rule_id: string,
    body: RequestOf<'PATCH /v1/alerts/rules/{rule_id}'>['body'],
  ): Promise<void> => {
    failure.value = null;
    try {
      onChange(rule_id, await call('PATCH /v1/alerts/rules/{rule_id}', { params: { rule_id }, body: body ?? {} }));
    } catch (error) {
      failure.value = error as Failure;
      again();
    }
  };
  const actions = (rule: Rule): JSX.Element => (
    <Menu label={`${common.actions}: ${rule.name}`} icon="more">
      <Link to={`/alerts/rules/${rule.id}`}>{common.edit}</Link>
      <button onClick={() => void change(rule.id, { enabled: !rule.enabled })}>
        {rule.enabled ? says.disable : says.enable}
      </button>
      {rule.muted_until === null ? (
        MUTES.map((seconds) => (
          <button
            key={seconds}
            onClick={() => void change(rule.id, { muted_until: new Date(Date.now() + seconds * 1_000).toISOString() })}
          >
            {says.muteFor(durationOf(seconds, language.value))}
          </button>
        ))
      ) : (
        <button onClick={() => void change(rule.id, { muted_until: null })}>{says.unmute}</button>
      )}
      {may('DELETE /v1/alerts/rules/{rule_id}') && (
        <button
          class="danger"
          onClick={() => {
            deleting.value = rule;
          }}
        >
          {common.delete}
        </button>
      )}
    </Menu>
  );
  const asked = deleting.value;
  return (
    <>
      {failure.value && <FailureLine failure={failure.value} />}
      <div class="rule-table">
        <DataTable
          label={says.title}
          keyOf={({ id }) => id}
          rows={rules}
          columns={[
            { name: 'rule', label: says.rule, kind: 'key', cell: (rule) => <Name rule={rule} /> },
            { name: 'effect', label: says.effect, kind: 'wide', cell: (rule) => <Sentences rule={rule} brief /> },
            { name: 'state', label: says.state, cell: (rule) => <State rule={rule} /> },
            ...(may('PATCH /v1/alerts/rules/{rule_id}')
              ? [{ name: 'actions', label: common.actions, kind: 'actions' as const, cell: actions }]
              : []),
          ]}
        />
      </div>
      {asked && (
        <ConfirmDialog
          title={says.deleteTitle(asked.name)}
          text={says.deleteText}
          action={common.delete}
          danger
          onConfirm={async () => {
            await call('DELETE /v1/alerts/rules/{rule_id}', { params: { rule_id: asked.id } });
            onChange(asked.id, null);
          }}
          onClose={() => {
            deleting.value = null;
          }}
        />
      )}
    </>
  );
};

const Name = ({ rule }: { rule: Rule }): JSX.Element => (
  <>
    <Link to={`/alerts/rules/${rule.id}`}>
      <bdi>{rule.name}</bdi>
    </Link>
    <ManagedBadge of={rule} />
    <span class="about">
      {rule.check_id === null ? (
        `${words.value.alertRules.ofTag}: ${rule.tag ?? ''}`
      ) : (
        <Link to={`/checks/${rule.check_id}`}>
          <bdi>{rule.check_name ?? rule.check_id}</bdi>
        </Link>
      )}
    </span>
  </>
);

/** Whether a rule currently alerts and notifies. */
export const State = ({ rule }: { rule: Rule }): JSX.Element => {
  const { alertRules: says } = words.value;
  return (
    <span class="rule-state">
      <span>{rule.enabled ? says.enabled : says.disabled}</span>
      {rule.muted_until !== null && (
        <span>
          {says.mutedUntil} <Moment instant={rule.muted_until} />
        </span>
      )}
      {isUnknown('suppressed_by', rule.suppressed_by) && (
        <span>
          {says.quietBy} {words.value.past.notKnown}
        </span>
      )}
      {rule.suppressed_by && (
        <span>
          {says.quietBy} <bdi>{rule.suppressed_by.name}</bdi>
        </span>
      )}
    </span>
  );
};

import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Form } from '../../parts/form/form.tsx';
import { MomentField } from '../../parts/form/moment-field.tsx';
import { Section } from '../../parts/form/section.tsx';
import { useSubmit, type Submit } from '../../parts/form/use-submit.ts';
import { Link } from '../../parts/link.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ManagedHint } from '../../parts/managed.tsx';
import { navigate } from '../../router/router.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { OrganizationFields } from './organization-fields.tsx';
import { Bindings } from './bindings.tsx';
import { changeOf, creationOf, trialOf } from './bodies.ts';
import { draftOf, valueOf, type Draft } from './draft.ts';
import { fieldsOf, isScript, type CheckTypeName, type Part } from './fields.ts';
import { ParameterField } from './parameter-field.tsx';
import { isSameJson } from './paths.ts';
import { RunPanel } from './run/run-panel.tsx';
import { useTestRuns, type TestRun } from './run/test-run.ts';
import { useSaving, type SavedCheck } from './saving.ts';
import { ScriptField } from './script/script-field.tsx';
import type { FormInput } from './sources.ts';
import { isSet } from './values.ts';
import { TargetFields } from './target-fields.tsx';
import { ScheduleAndRegionFields } from './schedule-fields.tsx';

export interface CheckFormProps extends FormInput {
  /** null: a new check */
  check_id: string | null;
  /** resets the form to the version that another user saved */
  onReload: () => void;
}

/** Returns the error message of the most recent test run, or null if there is none. */
const sentenceOf = (run: TestRun): string | null => {
  if (run.status !== 'over') return null;
  return run.result?.error_message ?? run.job.error_message;
};

/** Focuses the first invalid field. */
const focusWrong = (within: HTMLElement | null): void => {
  requestAnimationFrame(() => {
    const field = within?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const folded = field?.closest('details');
    if (folded) folded.open = true;
    field?.focus();
  });
};

/** The check form, with test runs next to it. */
export const CheckForm = (props: CheckFormProps): JSX.Element => {
  const { check_id, source, revision, channels, choices, onReload } = props;
  const draft = useMemo(() => {
    const begun = draftOf(source);
    const { shortest } = choices;
    if (check_id === null && shortest !== null && (begun.interval.value ?? 0) < shortest)
      begun.interval.value = shortest;
    return begun;
  }, []);
  const chosen = useSignal<readonly string[]>(channels.ids);
  const saved = useSignal<SavedCheck | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const of = useSubmit();
  const tests = useTestRuns();
  const saving = useSaving(check_id, revision);
  const bodyOf = check_id === null ? creationOf : changeOf;
  const first = useMemo(() => JSON.stringify(bodyOf(draft)), []);
  const isChanged = useComputed(
    () => JSON.stringify(bodyOf(draft)) !== first || !isSameJson(chosen.value, channels.ids),
  );
  const release = useUnsaved(isChanged.value && saved.value === null);
  const type = draft.type.value;
  const back = check_id === null ? '/checks' : `/checks/${check_id}`;

  const save = async (over: boolean): Promise<void> => {
    // For a new check, all chosen channels must be set, even those that a clone has preselected from the original
    // check.
    const isSetAnew = check_id === null ? chosen.value.length > 0 : !isSameJson(chosen.value, channels.ids);
    const done = await saving.save(draft, isSetAnew ? chosen.value : null, over);
    if (!done) return;
    release();
    if (done.failure) saved.value = done;
    else navigate(`/checks/${done.id}`);
  };
  const test = (): void => {
    if (of.busy.value) return;
    void of
      .send(() => tests.start(trialOf(draft)))
      .then((isStarted) => {
        if (!isStarted) focusWrong(box.current);
      });
  };
  if (saved.value?.failure) {
    const { channelsFailed, openCheck } = words.value.checkForm;
    return (
      <Panel title={words.value.common.saved} text={channelsFailed}>
        <FailureLine failure={saved.value.failure} />
        <Link to={`/checks/${saved.value.id}`} class="button primary">
          {openCheck}
        </Link>
      </Panel>
    );
  }
  return (
    <div class="check-form">
      <div ref={box}>
        <Form
          submit={check_id === null ? words.value.common.create : words.value.common.save}
          of={of}
          onSubmit={() => save(false)}
          onCancel={() => {
            navigate(back);
          }}
        >
          {saving.conflict.value && <Conflict onReload={onReload} onSave={() => void of.send(() => save(true))} />}
          {check_id !== null && <ManagedHint of={source} />}
          <TargetFields draft={draft} of={of} isNew={check_id === null} />
          {isScript(type) && <ScriptField draft={draft} of={of} failure={sentenceOf(tests.run.value)} />}
          <Parameters key={`request ${type}`} part="request" draft={draft} of={of} unfolded={type === 'api'} />
          <Parameters key={`judged ${type}`} part="judged" draft={draft} of={of} unfolded />
          <ScheduleAndRegionFields draft={draft} of={of} choices={choices} />
          <OrganizationFields draft={draft} of={of} choices={choices} channels={channels} chosen={chosen} />
          {(isScript(type) || draft.secrets.value.length > 0) && <Bindings draft={draft} of={of} choices={choices} />}
          <Parameters key={`advanced ${type}`} part="advanced" draft={draft} of={of} unfolded={false}>
            <MomentField
              label={words.value.checkForm.mutedUntil}
              name="muted_until"
              hint={words.value.checkForm.mutedHint}
              optional
              value={draft.mutedUntil}
              problem={of.problemOf('muted_until')}
            />
          </Parameters>
        </Form>
      </div>
      {may('POST /v1/checks/execute') && (
        <RunPanel
          run={tests.run.value}
          busy={of.busy.value}
          hasSecrets={draft.secrets.value.length > 0}
          onRun={test}
          onRunSaved={
            check_id === null || isChanged.value ? null : () => void of.send(() => tests.startStored(check_id))
          }
        />
      )}
    </div>
  );
};

interface ParametersProps {
  part: Extract<Part, 'request' | 'judged' | 'advanced'>;
  draft: Draft;
  of: Submit;
  /** whether this part is expanded even if none of its parameters is set */
  unfolded: boolean;
  children?: JSX.Element;
}

/** Returns whether any value in a part of the form differs from that of a new check. */
const isUsed = (draft: Draft, type: CheckTypeName, part: Part): boolean =>
  fieldsOf(type, part).some((field) => isSet(field, valueOf(draft, field).value)) ||
  (part === 'advanced' && draft.mutedUntil.value !== null);

/** The parameters of a part of the form. Rarely used parts are collapsed. */
const Parameters = ({ part, draft, of, unfolded, children }: ParametersProps): JSX.Element | null => {
  const type = draft.type.value;
  const folded = useMemo(() => !unfolded && !isUsed(draft, type, part), []);
  const fields = fieldsOf(type, part);
  if (fields.length === 0 && children === undefined) return null;
  return (
    <Section legend={words.value.checkForm.sections[part]} folded={folded}>
      {fields.map((field) => (
        <ParameterField key={field.path} field={field} draft={draft} of={of} />
      ))}
      {children}
    </Section>
  );
};

/** Reports that another user has saved the check in the meantime. */
const Conflict = ({ onReload, onSave }: { onReload: () => void; onSave: () => void }): JSX.Element => {
  const { changedMeanwhile, loadTheirs, saveAnyway } = words.value.common;
  return (
    <div class="problem whole" role="alert">
      <p>{changedMeanwhile}</p>
      <div class="actions">
        <button type="button" class="button" onClick={onReload}>
          {loadTheirs}
        </button>
        <button type="button" class="button" onClick={onSave}>
          {saveAnyway}
        </button>
      </div>
    </div>
  );
};

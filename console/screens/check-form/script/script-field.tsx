import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../../api/openapi.d.ts';
import { ConfirmDialog } from '../../../parts/overlays/confirm-dialog.tsx';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { call } from '../../../session/call.ts';
import { useLoaded } from '../../../session/loaded.ts';
import { words } from '../../../shell/language.ts';
import { valueOf, type Draft } from '../draft.ts';
import { fieldsOf } from '../fields.ts';
import { textIn, valueAt } from '../paths.ts';
import { Section } from '../../../parts/form/section.tsx';
import type { Submit } from '../../../parts/form/use-submit.ts';
import { Editor } from './editor.tsx';
import { errorLine } from './error-line.ts';

const WRITING_TESTS = 'https://playwright.dev/docs/writing-tests';

type Template = Schemas['CheckTemplate'];

const scriptOf = (template: Template): string => textIn(valueAt(template.definition, 'parameters.pw_script'));

export interface ScriptFieldProps {
  draft: Draft;
  of: Submit;
  /** error message of the most recent test run; null: none */
  failure: string | null;
}

/** The field for the script of a check, with templates to start from. */
export const ScriptField = ({ draft, of, failure }: ScriptFieldProps): JSX.Element | null => {
  const { loaded, again } = useLoaded((signal) => call('GET /v1/checks/check-templates', {}, { signal }), []);
  const wanted = useSignal<Template | null>(null);
  const taken = useSignal<Template | null>(null);
  const { editor, fields } = words.value.checkForm;
  const type = draft.type.value;
  const field = fieldsOf(type, 'what').find(({ as }) => as.kind === 'script');
  if (!field) return null;
  const script = valueOf(draft, field) as Signal<string>;
  const templates = (loaded.status === 'loading' ? null : loaded.value)?.filter((one) => one.type === type) ?? [];
  const isOwn = script.value.trim() !== '' && !templates.some((template) => scriptOf(template) === script.value);
  const take = (template: Template): void => {
    script.value = scriptOf(template);
    taken.value = template;
    if (draft.name.value.trim() === '') draft.name.value = template.name;
  };
  const needed = (taken.value?.requires_secrets ?? []).filter(
    (name) => !draft.secrets.value.some(({ env_variable }) => env_variable === name),
  );
  return (
    <Section legend={fields.script}>
      {templates.length > 0 && (
        <div class="script-templates">
          <select
            aria-label={editor.template}
            value=""
            onChange={({ currentTarget }) => {
              const template = templates.find(({ id }) => id === currentTarget.value);
              currentTarget.value = '';
              if (template && isOwn) wanted.value = template;
              else if (template) take(template);
            }}
          >
            <option value="">{editor.chooseTemplate}</option>
            {templates.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <a href={WRITING_TESTS} target="_blank" rel="noopener noreferrer">
            {editor.documentation}
          </a>
        </div>
      )}
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {taken.value && taken.value.type === type && <p class="hint">{taken.value.description}</p>}
      {needed.length > 0 && <p class="notice">{editor.needs(needed.join(', '))}</p>}
      <Editor
        label={fields.script}
        name={field.path}
        value={script}
        problem={of.problemOf(field.path)}
        errorAt={errorLine(script.value, failure)}
      />
      {wanted.value && (
        <ConfirmDialog
          title={editor.replace}
          text={editor.replaceText}
          action={words.value.common.yes}
          onConfirm={() => {
            if (wanted.value) take(wanted.value);
            return Promise.resolve();
          }}
          onClose={() => {
            wanted.value = null;
          }}
        />
      )}
    </Section>
  );
};

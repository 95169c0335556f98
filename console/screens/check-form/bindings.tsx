import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Section } from '../../parts/form/section.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { words } from '../../shell/language.ts';
import type { Choices } from './choices.ts';
import type { Binding } from './draft.ts';
import { problemUnder } from './problems.ts';
import type { PartProps } from './target-fields.tsx';

/** Returns the default environment variable of a secret: `db.password` becomes `DB_PASSWORD`. */
export const variableOf = (secretName: string): string => secretName.replace(/[^A-Za-z0-9_]/g, '_').toUpperCase();

/** The fields that bind secrets to a script. Secrets are chosen by name; their values are never shown. */
export const Bindings = ({ draft, of, choices }: PartProps & { choices: Choices }): JSX.Element => {
  const says = words.value.checkForm;
  const { add, remove } = words.value.common;
  const box = useRef<HTMLDivElement>(null);
  const bound = draft.secrets.value;
  const set = (at: number, change: Partial<Binding>): void => {
    draft.secrets.value = bound.map((one, index) => (index === at ? { ...one, ...change } : one));
  };
  const free = choices.secrets.filter(({ id }) => !bound.some(({ secret_id }) => secret_id === id));
  const nameOf = (id: string): string => choices.secrets.find((secret) => secret.id === id)?.secret_name ?? id;
  return (
    <Section legend={says.sections.secrets} text={says.secretsHint}>
      <div ref={box} class="pairs">
        {bound.map(({ secret_id, env_variable }, index) => {
          const problem = problemUnder(of, `secrets.${index}`);
          const number = (index + 1).toString();
          return (
            <div key={secret_id} class="binding">
              <div class="fields-line">
                <select
                  class="wide"
                  aria-label={`${says.secret} ${number}`}
                  aria-invalid={problem !== null}
                  value={secret_id}
                  onChange={({ currentTarget }) => {
                    set(index, { secret_id: currentTarget.value });
                  }}
                >
                  {[secret_id, ...free.map(({ id }) => id)].map((id) => (
                    <option key={id} value={id} selected={id === secret_id}>
                      {nameOf(id)}
                    </option>
                  ))}
                </select>
                <div class="input">
                  <input
                    aria-label={`${says.variable} ${number}`}
                    aria-invalid={problem !== null}
                    class="code"
                    value={env_variable}
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck={false}
                    onInput={({ currentTarget }) => {
                      set(index, { env_variable: currentTarget.value });
                    }}
                  />
                </div>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={`${remove}: ${nameOf(secret_id)}`}
                  onClick={() => {
                    draft.secrets.value = bound.filter((_, other) => other !== index);
                    box.current?.querySelector<HTMLElement>('.add')?.focus();
                  }}
                >
                  <Icon name="close" />
                </button>
              </div>
              {problem !== null && <p class="problem">{problem}</p>}
            </div>
          );
        })}
        {choices.secrets.length === 0 && <p class="hint">{says.noSecrets}</p>}
        <div class="actions">
          {free[0] && (
            <button
              type="button"
              class="button quiet add"
              onClick={() => {
                const [first] = free;
                if (!first) return;
                const binding = { secret_id: first.id, env_variable: variableOf(first.secret_name) };
                draft.secrets.value = [...bound, binding];
                requestAnimationFrame(() =>
                  [...(box.current?.querySelectorAll<HTMLElement>('select') ?? [])].at(-1)?.focus(),
                );
              }}
            >
              <Icon name="add" /> {add}
            </button>
          )}
          <Link to="/secrets">{says.manageSecrets}</Link>
        </div>
      </div>
    </Section>
  );
};

import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { call } from '../../../session/call.ts';
import { useLoaded } from '../../../session/loaded.ts';
import { words } from '../../../shell/language.ts';
import { treeOf } from '../components/tree.ts';

export interface ScopeFieldProps {
  page_id: string;
  /** ids of components and groups; empty: everything */
  value: Signal<readonly string[]>;
  problem: string | null;
}

/** A field for the scope of a subscription. */
export const ScopeField = ({ page_id, value, problem }: ScopeFieldProps): JSX.Element | null => {
  const { loaded } = useLoaded(
    (signal) => call('GET /v1/pages/{page_id}/components', { params: { page_id } }, { signal }),
    [page_id],
  );
  const { subscribers: says } = words.value;
  const components = loaded.status === 'loaded' ? loaded.value : [];
  if (components.length === 0) return null;
  const tick = (id: string, name: string): JSX.Element => (
    <label class="tick">
      <input
        type="checkbox"
        checked={value.value.includes(id)}
        onChange={({ currentTarget }) => {
          const others = value.value.filter((one) => one !== id);
          value.value = currentTarget.checked ? [...others, id] : others;
        }}
      />
      <bdi>{name}</bdi>
    </label>
  );
  return (
    <fieldset class="scope">
      <legend>{says.scope}</legend>
      <p class="hint">{says.scopeHint}</p>
      <ul>
        {treeOf(components).map(({ component, members }) => (
          <li key={component.id}>
            {tick(component.id, component.name)}
            {members.length > 0 && (
              <ul>
                {members.map(({ id, name }) => (
                  <li key={id}>{tick(id, name)}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {problem !== null && <p class="problem">{problem}</p>}
    </fieldset>
  );
};

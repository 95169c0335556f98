import type { JSX } from 'preact';
import type { SubscriptionWords } from '../../messages/page-words/subscription/words.ts';
import { FieldError, Option } from './fields.tsx';

export const SCOPES = ['page', 'components', 'incident'] as const;
/** The scope of a subscription: the whole page, some components, or one incident. */
export type SubscriptionScope = (typeof SCOPES)[number];

/** A component that can be selected, or a group with its components. */
export interface Choosable {
  id: string;
  name: string;
  /** components of the group; absent: this is not a group */
  members?: readonly { id: string; name: string }[];
}

export interface ScopeChoiceProps {
  words: SubscriptionWords;
  /** available scopes; if there is only one, no choice is shown */
  scopes: readonly SubscriptionScope[];
  scope: SubscriptionScope;
  components: readonly Choosable[];
  /** ids of components and groups */
  chosen: ReadonlySet<string>;
  incident: { name: string; kind: 'regular' | 'maintenance' } | null;
  /** error message for the components */
  problem: string | undefined;
}

/**
 * Form fields for the scope of a subscription. In browsers that support `:has()`, the components are shown only if the
 * scope `components` is selected.
 */
export const ScopeChoice = (props: ScopeChoiceProps): JSX.Element => {
  const { words, scopes, scope, components, incident } = props;
  const option = (value: SubscriptionScope, label: string, help: string): JSX.Element | false =>
    scopes.includes(value) && (
      <Option type="radio" name="scope" value={value} checked={scope === value} help={help}>
        {label}
      </Option>
    );
  return (
    <fieldset class="options">
      <legend>{words.about}</legend>
      {incident !== null && scopes.includes('incident') && (
        <Option type="radio" name="scope" value="incident" checked={scope === 'incident'}>
          {incident.kind === 'maintenance' ? words.maintenance : words.incident}
          <small class="help" dir="auto">
            {incident.name}
          </small>
        </Option>
      )}
      {option('page', words.all, words.allHint)}
      {option('components', words.some, words.someHint)}
      {scopes.includes('components') && components.length > 0 && <ComponentChoice {...props} />}
    </fieldset>
  );
};

const ComponentChoice = ({ words, components, chosen, problem }: ScopeChoiceProps): JSX.Element => {
  const box = ({ id, name }: { id: string; name: string }): JSX.Element => (
    <Option type="checkbox" name="component_ids" value={id} checked={chosen.has(id)}>
      <bdi>{name}</bdi>
    </Option>
  );
  return (
    <fieldset class="component-choice" aria-describedby={problem === undefined ? undefined : 'component_ids-problem'}>
      <legend class="hidden">{words.some}</legend>
      <FieldError name="component_ids" text={problem} />
      <ul>
        {components.map((one) => (
          <li key={one.id} class={one.members ? 'group-choice' : undefined}>
            {box(one)}
            {one.members && (
              <ul>
                {one.members.map((member) => (
                  <li key={member.id}>{box(member)}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  );
};

import type { JSX } from 'preact';
import { isolated } from '../../messages/characters.ts';
import type { SubscriberMode } from '../../domain/subscriber/events.ts';
import type { SubscriptionField } from '../../messages/page-words/subscription/words.ts';
import type { Frame } from '../status/frame.ts';
import { StatusDocument } from '../status/status-document.tsx';
import { Field, FieldError, FormProblem, Option } from './fields.tsx';
import { OtherWays } from './other-ways.tsx';
import { ScopeChoice, type ScopeChoiceProps } from './scope-choice.tsx';

/** The address that a visitor has entered in the form. */
export interface TypedAddress {
  mode: SubscriberMode | null;
  email: string;
  phone_country: string;
  phone_number: string;
  endpoint: string;
  contact_email: string;
}

export interface SubscribePageProps extends Omit<ScopeChoiceProps, 'words' | 'problem' | 'incident'> {
  frame: Frame;
  /** modes that the page accepts; empty: the page shows no form */
  modes: readonly SubscriberMode[];
  typed: TypedAddress;
  /** countries to which text messages can be sent, sorted by name */
  countries: readonly { code: string; name: string; callingCode: string }[];
  incident: { id: string; name: string; kind: 'regular' | 'maintenance' } | null;
  /** error messages for the submitted form, by field */
  problems: Partial<Record<SubscriptionField, string>>;
  /** error message for the whole form; null: none */
  failure: string | null;
}

/** The form for a subscription to a page, to components of it, or to one incident. */
export const SubscribePage = (props: SubscribePageProps): JSX.Element => {
  const { frame, modes, problems, failure, incident } = props;
  const words = frame.words.subscription;
  const failed = failure ?? (Object.keys(problems).length > 0 ? words.problem : null);
  return (
    <StatusDocument frame={frame} title={words.title} isForm>
      <section class="subscribe">
        <header>
          <p>
            <a href={frame.root}>{frame.words.backTo(isolated(frame.name))}</a>
          </p>
          <h1>{words.title}</h1>
          {modes.length > 0 && <p class="muted">{words.intro(isolated(frame.name))}</p>}
        </header>
        <FormProblem text={failed} />
        {modes.length === 0 ? (
          <p>{frame.followable ? words.incidentsOnly : words.notTaken}</p>
        ) : (
          <form
            class="card form sheet"
            method="post"
            action={`${frame.root}subscribe?lang=${frame.language}`}
            novalidate
          >
            {incident !== null && <input type="hidden" name="incident" value={incident.id} />}
            <Modes {...props} />
            <div class="mode-fields">
              {modes.map((mode) => (
                <div key={mode} class={modes.length > 1 ? `for-${mode}` : undefined}>
                  <AddressFields mode={mode} {...props} />
                </div>
              ))}
            </div>
            {props.scopes.length > 1 ? (
              <ScopeChoice {...props} words={words} problem={problems.component_ids} />
            ) : (
              <OnlyScope incident={incident} frame={frame} />
            )}
            <footer>
              <button class="button primary">{words.submit}</button>
              <p class="help">{words.note}</p>
            </footer>
          </form>
        )}
        <OtherWays frame={frame} />
      </section>
    </StatusDocument>
  );
};

/** Shows the name of the incident instead of a choice of scopes, if the incident is the only possible scope. */
const OnlyScope = ({ frame, incident }: Pick<SubscribePageProps, 'frame' | 'incident'>): JSX.Element | null => {
  if (incident === null) return null;
  const words = frame.words.subscription;
  return (
    <div>
      <input type="hidden" name="scope" value="incident" />
      <p>
        {incident.kind === 'maintenance' ? words.maintenance : words.incident}
        <small class="help" dir="auto">
          {incident.name}
        </small>
      </p>
    </div>
  );
};

const Modes = ({ frame, modes, typed, problems }: SubscribePageProps): JSX.Element => {
  const words = frame.words.subscription;
  const [only] = modes;
  if (modes.length === 1) return <input type="hidden" name="mode" value={only} />;
  return (
    <fieldset class="options modes" aria-describedby={problems.mode === undefined ? undefined : 'mode-problem'}>
      <legend>{words.how}</legend>
      {modes.map((mode) => (
        <Option key={mode} type="radio" name="mode" value={mode} checked={mode === (typed.mode ?? only)}>
          {words.modes[mode]}
        </Option>
      ))}
      <FieldError name="mode" text={problems.mode} />
    </fieldset>
  );
};

/**
 * The fields for the address. None of them has the attribute `required`, because fields of other modes are hidden. The
 * server reports missing values in the page's language.
 */
const AddressFields = ({
  mode,
  frame,
  typed,
  countries,
  problems,
}: SubscribePageProps & { mode: SubscriberMode }): JSX.Element => {
  const words = frame.words.subscription;
  switch (mode) {
    case 'email':
      return (
        <Field name="email" label={words.email} problem={problems.email}>
          {(bound) => <input {...bound} type="email" autocomplete="email" dir="ltr" value={typed.email} />}
        </Field>
      );
    case 'sms':
      return (
        <div class="phone">
          <Field name="phone_country" label={words.country} problem={problems.phone_country}>
            {(bound) => (
              <select {...bound} autocomplete="country">
                <option value="">{words.chooseCountry}</option>
                {countries.map(({ code, name, callingCode }) => (
                  <option key={code} value={code} selected={code === typed.phone_country}>
                    {name} (+{callingCode})
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field name="phone_number" label={words.phone} problem={problems.phone_number}>
            {(bound) => <input {...bound} type="tel" autocomplete="tel" dir="ltr" value={typed.phone_number} />}
          </Field>
        </div>
      );
    case 'webhook':
      return (
        <>
          <Field name="endpoint" label={words.endpoint} problem={problems.endpoint} help={words.endpointHint}>
            {(bound) => (
              <input
                {...bound}
                type="url"
                autocomplete="off"
                spellcheck={false}
                dir="ltr"
                placeholder="https://"
                value={typed.endpoint}
              />
            )}
          </Field>
          <Field name="contact_email" label={words.contact} problem={problems.contact_email} help={words.contactHint}>
            {(bound) => <input {...bound} type="email" autocomplete="email" dir="ltr" value={typed.contact_email} />}
          </Field>
        </>
      );
  }
};

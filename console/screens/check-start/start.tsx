import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { RequestOf } from '../../api/request.ts';
import { firstCheck } from '../../parts/first-check.ts';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { Link } from '../../parts/link.tsx';
import { durationOf } from '../../parts/times/since.tsx';
import { navigate } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { language, words } from '../../shell/language.ts';
import { addressOf, addressWithoutCredentials, type ProposedType } from './address.ts';
import { bodyOf, proposalOf } from './proposal.ts';
import { loadCapabilities, ASSUMED_CAPABILITIES } from './capabilities.ts';

/** "What should I watch?": creates a check from an address. */
const Start = (): JSX.Element => {
  const { loaded } = useLoaded(loadCapabilities, []);
  const typed = useSignal('');
  const chosen = useSignal<ProposedType | null>(null);
  const name = useSignal('');
  const keyword = useSignal('');
  const hasCertificate = useSignal(true);
  const isUnclear = useSignal(false);
  const address = useComputed(() => addressOf(typed.value));
  const of = useSubmit();
  const says = words.value.checkStart;
  const { types, shortest } = loaded.status === 'loaded' ? loaded.value : ASSUMED_CAPABILITIES;
  const proposal = address.value && proposalOf(address.value, types, shortest, chosen.value);

  const send = async (): Promise<void> => {
    isUnclear.value = address.value === null;
    if (!address.value || !proposal) return;
    const { certificateDays } = proposal;
    const body = bodyOf(address.value, {
      ...proposal,
      name: name.value.trim() || proposal.name,
      keyword: takesKeyword(proposal.type) ? keyword.value.trim() : '',
      certificateDays: hasCertificate.value ? certificateDays : null,
    });
    const check = await call('POST /v1/checks', { body: body as unknown as RequestOf<'POST /v1/checks'>['body'] });
    firstCheck.value = { id: check.id, name: check.name };
    navigate(`/checks/${check.id}`);
  };
  const targetProblem = [of.problemOf('url'), of.problemOf('host'), of.problemOf('port')].find((one) => one !== null);
  return (
    <section class="start">
      <h2>{says.question}</h2>
      <Form
        submit={says.submit}
        of={of}
        onSubmit={send}
        buttons={
          <Link
            to={`/checks/new${address.value ? `?${new URLSearchParams({ address: addressWithoutCredentials(address.value) }).toString()}` : ''}`}
            class="button quiet"
          >
            {says.moreSettings}
          </Link>
        }
      >
        <Field
          label={says.address}
          name="address"
          inputMode="url"
          code
          hint={says.example}
          value={typed}
          problem={isUnclear.value && address.value === null ? says.unclear : (targetProblem ?? null)}
        />
        {address.value && proposal && (
          <fieldset class="proposal">
            <legend>{says.proposal}</legend>
            <Kinds
              types={address.value.types.filter((type) => types.has(type))}
              type={proposal.type}
              onChoose={(type) => {
                chosen.value = type;
              }}
            />
            <Field
              label={says.name}
              name="name"
              value={name}
              optional
              placeholder={proposal.name}
              maxLength={100}
              problem={of.problemOf('name')}
            />
            {takesKeyword(proposal.type) && (
              <Field
                label={says.keyword}
                name="keyword"
                value={keyword}
                optional
                hint={says.keywordHint}
                problem={of.problemOf('parameters.search_text')}
              />
            )}
            {proposal.certificateDays !== null && (
              <label class="tick">
                <input
                  type="checkbox"
                  checked={hasCertificate.value}
                  onChange={({ currentTarget }) => {
                    hasCertificate.value = currentTarget.checked;
                  }}
                />
                <span>
                  {says.certificate} {says.certificateDays(proposal.certificateDays)}
                </span>
              </label>
            )}
            <p class="fine">
              {says.every} {durationOf(proposal.interval, language.value)}
            </p>
          </fieldset>
        )}
      </Form>
    </section>
  );
};
export default Start;

const takesKeyword = (type: ProposedType): boolean => type === 'web' || type === 'api' || type === 'tcp';

interface KindsProps {
  types: readonly ProposedType[];
  type: ProposedType;
  onChoose: (type: ProposedType) => void;
}

/** A choice between the check types that are possible for an address. */
const Kinds = ({ types, type, onChoose }: KindsProps): JSX.Element => {
  const id = useId();
  return (
    <div class="kinds" role="radiogroup" aria-label={words.value.checkStart.type}>
      {types.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name={id}
            value={one}
            checked={one === type}
            onChange={() => {
              onChoose(one);
            }}
          />
          <span>{words.value.checkForm.types[one].label}</span>
        </label>
      ))}
    </div>
  );
};

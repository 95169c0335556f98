import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { Loading } from '../../parts/loading.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { navigate } from '../../router/router.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { useFirstFocus } from '../page/use-first-focus.ts';
import { isReached } from './limit.ts';
import { loadLimit } from './load-limit.ts';
import { TemplateChoice, templateFields, type TemplateName } from './template-choice.tsx';

/** Creates a status page. Only a name is required. */
const NewPage = (): JSX.Element => {
  const { loaded } = useLoaded(loadLimit, []);
  const { pages: says, failure } = words.value;
  const back = { to: '/pages', label: says.title };
  if (loaded.status === 'loading') return <Loading />;
  const limit = loaded.status === 'loaded' ? loaded.value : null;
  const refused = !may('POST /v1/pages')
    ? failure.forbidden
    : limit !== null && isReached(limit)
      ? says.limitReached(limit.limit)
      : null;
  return (
    <>
      <ScreenHead title={says.newPage} back={back} />
      {refused === null ? <NewPageForm /> : <p class="notice">{refused}</p>}
    </>
  );
};
export default NewPage;

const NewPageForm = (): JSX.Element => {
  const name = useSignal('');
  const subdomain = useSignal('');
  const template = useSignal<TemplateName>('default');
  const of = useSubmit();
  const first = useFirstFocus();
  const leave = useUnsaved(name.value !== '' || subdomain.value !== '');
  const { pages: says, common } = words.value;
  const create = async (): Promise<void> => {
    const wanted = subdomain.value.trim();
    const { id } = await call('POST /v1/pages', {
      body: {
        name: name.value,
        ...(wanted !== '' && { subdomain: wanted }),
        ...templateFields(template.value),
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    });
    leave();
    navigate(`/pages/${id}`);
  };
  return (
    <div class="page-form">
      <Form
        submit={common.create}
        of={of}
        onSubmit={create}
        onCancel={() => {
          navigate('/pages');
        }}
      >
        <Field
          label={common.name}
          name="name"
          value={name}
          hint={says.nameHint}
          problem={of.problemOf('name')}
          maxLength={100}
          inputRef={first}
        />
        <Field
          label={says.subdomain}
          name="subdomain"
          value={subdomain}
          hint={says.subdomainHint}
          problem={of.problemOf('subdomain')}
          placeholder="acme"
          maxLength={63}
          optional
        />
        <TemplateChoice
          value={template.value}
          onChoose={(chosen) => {
            template.value = chosen;
          }}
        />
      </Form>
    </div>
  );
};

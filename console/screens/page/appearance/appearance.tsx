import type { JSX } from 'preact';
import { TextArea } from '../../../parts/form/text-area.tsx';
import { Section } from '../../../parts/form/section.tsx';
import { may } from '../../../session/permissions.ts';
import { words } from '../../../shell/language.ts';
import { TemplateChoice, templateFields, templateIn } from '../../pages/template-choice.tsx';
import { storedText } from '../draft.ts';
import { PageText } from '../fields.tsx';
import { mayChange, PageFormFrame } from '../page-form.tsx';
import type { TabProps } from '../tab-props.ts';
import { usePageForm, type PageForm } from '../use-page-form.ts';
import { ColourField, Swatch, usedText } from './colour-field.tsx';
import { COLOUR_FIELDS, STATE_FIELDS, THEMED_FIELDS, usedColours } from './colours.ts';
import { Preview } from './preview.tsx';

/** The appearance of a page, with a preview next to it. */
export const Appearance = ({ page, onSaved, notify }: TabProps): JSX.Element => {
  const { appearance: says, common } = words.value;
  const form = usePageForm(page, (saved) => {
    onSaved(saved);
    notify({ text: common.saved });
  });
  return (
    <div class="appearance">
      <PageFormFrame form={form}>
        <Template form={form} />
        <Section legend={says.texts}>
          <PageText form={form} name="headline" label={says.headline} hint={says.headlineHint} />
          <PageText
            form={form}
            name="page_description"
            label={common.description}
            hint={says.descriptionHint}
            rows={3}
          />
        </Section>
        <Section legend={says.pictures} text={says.picturesText}>
          <PageText
            form={form}
            name="company_logo"
            label={says.companyLogo}
            type="url"
            placeholder="https://example.com/logo.svg"
          />
          <PageText form={form} name="hero_cover" label={says.heroCover} type="url" />
          <PageText form={form} name="favicon_logo" label={says.favicon} type="url" />
          <PageText form={form} name="email_logo" label={says.emailLogo} type="url" />
          <PageText form={form} name="transactional_logo" label={says.transactionalLogo} type="url" />
        </Section>
        <Colours form={form} />
      </PageFormFrame>
      {may('POST /v1/pages/{page_id}/preview') && <Preview page={form.base} changes={form.changes} />}
    </div>
  );
};

/**
 * The field for the template of the page. The API represents the template by two fields, which this field sets
 * together.
 */
const Template = ({ form }: { form: PageForm }): JSX.Element => {
  const template = form.text('template');
  const template_id = form.text('template_id');
  return (
    <TemplateChoice
      value={templateIn({ template: template.value, template_id: template_id.value })}
      disabled={!mayChange()}
      onChoose={(name) => {
        const fields = templateFields(name);
        template.value = fields.template;
        template_id.value = fields.template_id;
      }}
    />
  );
};

const Colours = ({ form }: { form: PageForm }): JSX.Element => {
  const { appearance: says } = words.value;
  const disabled = !mayChange();
  const texts = Object.fromEntries(THEMED_FIELDS.map((name) => [name, storedText(name, form.text(name).value)]));
  const used = usedColours(texts as Parameters<typeof usedColours>[0]);
  return (
    <>
      <Section legend={says.colours} text={says.coloursText}>
        <div class="colours">
          {COLOUR_FIELDS.map((name) => (
            <ColourField
              key={name}
              label={says.colourNames[name]}
              name={name}
              value={form.text(name)}
              used={used(name)}
              problem={form.of.problemOf(name)}
              disabled={disabled}
            />
          ))}
        </div>
      </Section>
      <Section legend={says.states} text={says.statesText}>
        {STATE_FIELDS.map((name) => {
          const text = form.text(name);
          const colour = used(name);
          const isRules = text.value.trim() !== '' && colour.set === null;
          return (
            <div key={name} class="state-colour">
              <Swatch colour={colour.used} />
              <TextArea
                label={says.stateNames[name]}
                name={name}
                value={text}
                hint={isRules ? says.customRules : usedText(colour)}
                problem={form.of.problemOf(name)}
                rows={isRules ? 6 : 1}
                code
                optional
                disabled={disabled}
              />
            </div>
          );
        })}
      </Section>
    </>
  );
};

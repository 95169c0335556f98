import type { JSX } from 'preact';
import { PAGE_TEMPLATES, picturePath, templateOf, type PageTemplate } from '../../../domain/page/templates.ts';
import { SERVICE_URL } from '../../urls.ts';
import { words } from '../../shell/language.ts';

/** The name of a template. */
export type TemplateName = PageTemplate['name'];

/** Returns the template that a page's fields select, by the same rules as the API. */
export const templateIn = (page: { template: string; template_id: string }): TemplateName => templateOf(page).name;

/** Returns the fields of a page that select a template. */
export const templateFields = (name: TemplateName): { template: string; template_id: string } => {
  const found = PAGE_TEMPLATES.find((template) => template.name === name);
  return { template: name, template_id: found?.id ?? '' };
};

export interface TemplateChoiceProps {
  value: TemplateName;
  onChoose: (name: TemplateName) => void;
  disabled?: boolean;
}

/** A field for the template of a page, with a picture of each. */
export const TemplateChoice = ({ value, onChoose, disabled = false }: TemplateChoiceProps): JSX.Element => {
  const says = words.value.pages;
  return (
    <fieldset class="template-choice">
      <legend>{says.template}</legend>
      {PAGE_TEMPLATES.map((template) => (
        <label key={template.name}>
          <input
            type="radio"
            name="template"
            value={template.name}
            checked={value === template.name}
            disabled={disabled}
            onChange={() => {
              onChoose(template.name);
            }}
          />
          <img src={new URL(picturePath(template).slice(1), SERVICE_URL).href} width="320" height="200" alt="" />
          <strong>{says.templates[template.name].name}</strong>
          <span class="hint">{says.templates[template.name].text}</span>
        </label>
      ))}
    </fieldset>
  );
};

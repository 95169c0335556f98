import type { PageFields } from './fields.ts';

/** A layout of pages. */
export interface PageTemplate {
  /** `template_id` of a page */
  id: string;
  /** `template` of a page */
  name: 'default' | 'compact' | 'minimal';
  description: string;
}

export const DEFAULT_TEMPLATE: PageTemplate = {
  id: 'default00000',
  name: 'default',
  description: 'Current status on top, components by group below, then incidents, newest first.',
};

/** The templates of `GET /v1/pages/get-templates`. */
export const PAGE_TEMPLATES: readonly PageTemplate[] = [
  DEFAULT_TEMPLATE,
  {
    id: 'compact00000',
    name: 'compact',
    description:
      'For many components: one line each, in columns if there is enough space, groups collapsed unless a component is affected.',
  },
  {
    id: 'minimal00000',
    name: 'minimal',
    description: 'Current status and active incidents; components by name and status, without history.',
  },
];

/** Returns the path of the preview image of a template. */
export const picturePath = ({ name }: Pick<PageTemplate, 'name'>): string => `/site/templates/${name}.svg`;

/**
 * Selects the template of a page. If `template` is unknown or the default, `template_id` is used instead. Each of the
 * two fields can contain the name or the id of a template. If both are unknown, the default template is used.
 */
export const templateOf = ({ template, template_id }: Pick<PageFields, 'template' | 'template_id'>): PageTemplate =>
  [template, template_id]
    .map((text) => PAGE_TEMPLATES.find(({ id, name }) => text === id || text === name))
    .find((found) => found !== undefined && found !== DEFAULT_TEMPLATE) ?? DEFAULT_TEMPLATE;

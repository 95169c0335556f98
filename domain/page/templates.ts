import type { PageFields } from './fields.ts';

/** A look that a page can have. */
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
  description: 'Present status on top, components by group below, then incidents, newest first.',
};

/** What `GET /v1/pages/get-templates` lists. */
export const PAGE_TEMPLATES: readonly PageTemplate[] = [
  DEFAULT_TEMPLATE,
  {
    id: 'compact00000',
    name: 'compact',
    description:
      'For many components: a line each, in columns where there is room, groups closed unless one is affected.',
  },
  {
    id: 'minimal00000',
    name: 'minimal',
    description: 'Present status and active incidents; components by name and status, without history.',
  },
];

/** Where the picture of a template is served. */
export const picturePath = ({ name }: Pick<PageTemplate, 'name'>): string => `/site/templates/${name}.svg`;

/**
 * The template that a page's free texts select: by `template` or, where that names the default or none, by
 * `template_id`. Each may be the name or the id of a template; the default one if neither is known.
 */
export const templateOf = ({ template, template_id }: Pick<PageFields, 'template' | 'template_id'>): PageTemplate =>
  [template, template_id]
    .map((text) => PAGE_TEMPLATES.find(({ id, name }) => text === id || text === name))
    .find((found) => found !== undefined && found !== DEFAULT_TEMPLATE) ?? DEFAULT_TEMPLATE;

/** A look that a page can have. */
export interface PageTemplate {
  /** `template_id` of a page */
  id: string;
  /** `template` of a page */
  name: string;
  description: string;
}

export const DEFAULT_TEMPLATE: PageTemplate = {
  id: 'default00000',
  name: 'default',
  description: 'Present status on top, components by group below, then incidents, newest first.',
};

/** What `GET /v1/pages/get-templates` lists. */
export const PAGE_TEMPLATES: readonly PageTemplate[] = [DEFAULT_TEMPLATE];

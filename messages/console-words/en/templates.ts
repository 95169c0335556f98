import type { TemplateWords } from '../words/templates.ts';

export const templates: TemplateWords = {
  new: 'New template',
  name: 'Name of the template',
  nameHint: 'Only your team sees it.',
  kind: 'For',
  allPages: 'All status pages',
  leftOpen: 'Left to the writer',
  none: 'There are no templates yet. Save what you write again and again, and begin with it next time.',
  deleteTitle: 'Delete this template?',
  kinds: { incident: 'Incident', maintenance: 'Maintenance' },
  useOn: (page) => `Use on ${page}`,
};

import type { TemplateWords } from '../words/templates.ts';

export const templates: TemplateWords = {
  new: 'New template',
  name: 'Name of the template',
  nameHint: 'Only your team sees it.',
  kind: 'For',
  allPages: 'All status pages',
  leftOpen: 'Left to the writer',
  none: 'There are no templates yet. Save texts that you use repeatedly, and start from them next time.',
  deleteTitle: 'Delete this template?',
  kinds: { incident: 'Incident', maintenance: 'Maintenance' },
  useOn: (page) => `Use on ${page}`,
};

import { plurals } from '../../words/plurals.ts';
import type { PagesWords } from '../words/pages.ts';

const pagesOf = plurals('en', { one: 'page', other: 'pages' });

export const pages: PagesWords = {
  title: 'Status pages',
  newPage: 'New page',
  none: 'No status page yet',
  noneText:
    'A status page shows your users the state of your services and sends them updates. A name is enough to start with.',
  page: 'Page',
  address: 'Address',
  visibleTo: 'Visible to',
  visibility: {
    public: 'Everybody',
    team: 'Team members',
    addresses: 'Some addresses',
    hidden: 'not in search engines',
  },
  updates: 'Updates in 30 days',
  openPage: 'Open page',
  used: (used, limit) => `${used} of ${pagesOf(limit)} that your plan allows`,
  limitReached: (limit) => `Your plan allows ${pagesOf(limit)}. Delete one, or choose a larger plan.`,
  nameHint: 'Your company or product, as visitors know it.',
  subdomain: 'Subdomain',
  subdomainHint: 'Part of the address: 2 to 63 letters, digits and hyphens. If empty, it is derived from the name.',
  template: 'Template',
  templates: {
    default: {
      name: 'Default',
      text: 'Components with daily bars and uptime, incidents, and the last seven days.',
    },
    compact: {
      name: 'Compact',
      text: 'For many components: a line each, in columns; groups are closed unless affected.',
    },
    minimal: { name: 'Minimal', text: 'State, incidents and component names. Past incidents are in the history.' },
  },
  tabs: {
    components: 'Components',
    appearance: 'Appearance',
    settings: 'Settings',
    domain: 'Domain',
    email: 'E-mail',
    passwords: 'Passwords',
    subscribers: 'Subscribers',
  },
  newIncident: 'New incident',
  parts: 'Parts of the page',
  deleteTitle: 'Delete the page?',
  deleteText: 'Its components, incidents and subscribers are deleted with it. Its address becomes available to others.',
};

/** Words of the list of status pages, of a new one, and of what is around the tabs of a page. */
export interface PagesWords {
  title: string;
  newPage: string;
  /** where there is no page yet */
  none: string;
  noneText: string;
  page: string;
  address: string;
  visibleTo: string;
  /** who may see a page */
  visibility: { public: string; team: string; addresses: string; hidden: string };
  updates: string;
  openPage: string;
  /** how many pages there are, and how many the plan allows */
  used: (used: number, limit: number) => string;
  limitReached: (limit: number) => string;
  nameHint: string;
  subdomain: string;
  subdomainHint: string;
  template: string;
  /** names of templates and what they are for; others are shown as the API says */
  templates: Readonly<Record<'default' | 'compact' | 'minimal', { name: string; text: string }>>;
  tabs: {
    components: string;
    appearance: string;
    settings: string;
    domain: string;
    email: string;
    passwords: string;
    subscribers: string;
  };
  newIncident: string;
  /** names the tabs */
  parts: string;
  deleteTitle: string;
  deleteText: string;
}

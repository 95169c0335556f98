/** Texts of the status page list, the form for a new page, and the area around a page's tabs. */
export interface PagesWords {
  title: string;
  newPage: string;
  /** shown if there are no pages yet */
  none: string;
  noneText: string;
  page: string;
  address: string;
  visibleTo: string;
  /** says who is allowed to see a page */
  visibility: { public: string; team: string; addresses: string; hidden: string };
  updates: string;
  openPage: string;
  /** says how many pages there are, and how many the plan allows */
  used: (used: number, limit: number) => string;
  limitReached: (limit: number) => string;
  nameHint: string;
  subdomain: string;
  subdomainHint: string;
  template: string;
  /** names and purposes of templates; unknown templates are shown as the API describes them */
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
  /** label of the tabs */
  parts: string;
  deleteTitle: string;
  deleteText: string;
}

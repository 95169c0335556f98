/** What opens screens and does things from everywhere: the palette. */
export interface PaletteWords {
  title: string;
  placeholder: string;
  groups: Readonly<Record<'recent' | 'screens' | 'actions' | 'checks' | 'heartbeats' | 'pages' | 'more', string>>;
  newCheck: string;
  newHeartbeat: string;
  newIncident: string;
  /** of a preference, with one of its options: `Theme: Dark` */
  choice: (preference: string, option: string) => string;
  /** shows what matches a text in the list of checks */
  inList: (text: string) => string;
  /** asks on which page an incident is to be shown */
  choosePage: string;
  noPages: string;
  searching: string;
  results: (count: number) => string;
  nothing: string;
}

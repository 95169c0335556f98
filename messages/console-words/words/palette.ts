/** Texts of the palette, which opens screens and runs actions from anywhere. */
export interface PaletteWords {
  title: string;
  placeholder: string;
  groups: Readonly<Record<'recent' | 'screens' | 'actions' | 'checks' | 'heartbeats' | 'pages' | 'more', string>>;
  newCheck: string;
  newHeartbeat: string;
  newIncident: string;
  /** a preference and one of its options: `Theme: Dark` */
  choice: (preference: string, option: string) => string;
  /** item that opens the check list filtered by a text */
  inList: (text: string) => string;
  /** asks the user to choose the page of a new incident */
  choosePage: string;
  noPages: string;
  searching: string;
  results: (count: number) => string;
  nothing: string;
}

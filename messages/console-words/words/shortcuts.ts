/** The keys of the console, as its help lists them. */
export interface ShortcutsWords {
  title: string;
  /** heads the keys of the present screen */
  here: string;
  noneHere: string;
  /** heads the keys of every screen */
  everywhere: string;
  /** somebody has switched them off */
  areOff: string;
  /** what each key does */
  does: Readonly<
    Record<
      | 'palette'
      | 'help'
      | 'newIncident'
      | 'down'
      | 'up'
      | 'open'
      | 'back'
      | 'clear'
      | 'filter'
      | 'select'
      | 'selectRange'
      | 'selectAll'
      | 'create'
      | 'edit'
      | 'pause'
      | 'run'
      | 'acknowledge'
      | 'resolve',
      string
    >
  >;
  /** what `g` and another key do */
  goTo: (screen: string) => string;
  /** what is written on keys */
  keyNames: Readonly<Record<'Enter' | 'Escape' | 'Shift', string>>;
}

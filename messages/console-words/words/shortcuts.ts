/** Texts of the shortcuts help. */
export interface ShortcutsWords {
  title: string;
  /** heading for the shortcuts of the current screen */
  here: string;
  noneHere: string;
  /** heading for the shortcuts of all screens */
  everywhere: string;
  /** shown if the user has turned off shortcuts */
  areOff: string;
  /** the action of each shortcut */
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
  /** the action of `g` followed by another key */
  goTo: (screen: string) => string;
  /** labels on keys */
  keyNames: Readonly<Record<'Enter' | 'Escape' | 'Shift', string>>;
}

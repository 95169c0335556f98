/** Texts of the appearance settings of a status page. */
export interface AppearanceWords {
  texts: string;
  headline: string;
  headlineHint: string;
  descriptionHint: string;
  pictures: string;
  picturesText: string;
  companyLogo: string;
  heroCover: string;
  favicon: string;
  emailLogo: string;
  transactionalLogo: string;
  colours: string;
  coloursText: string;
  /** names of the colour fields */
  colourNames: Readonly<
    Record<
      | 'css_body_background_color'
      | 'css_font_color'
      | 'css_light_font_color'
      | 'css_link_color'
      | 'css_border_color'
      | 'css_button_color'
      | 'css_button_text_color'
      | 'css_button_border_color'
      | 'css_button_hover_color'
      | 'css_graph_color'
      | 'css_no_data'
      | 'css_spinner_color',
      string
    >
  >;
  choose: string;
  /** says which colour the page uses; `contrast`: its contrast with the background */
  used: (colour: string, contrast: string) => string;
  /** shown if the configured colour is unreadable and the page uses another colour */
  adjusted: (colour: string, contrast: string) => string;
  standard: (colour: string) => string;
  states: string;
  statesText: string;
  stateNames: Readonly<Record<'css_greens' | 'css_blues' | 'css_yellows' | 'css_oranges' | 'css_reds', string>>;
  customRules: string;
  preview: string;
  previewOf: (name: string) => string;
  previewText: string;
  previewWaits: string;
  widths: { wide: string; phone: string };
}

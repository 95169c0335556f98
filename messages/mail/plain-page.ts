import type { MailPage } from './layout.ts';

/**
 * Returns the appearance of e-mails from the service itself, which have no logo and no colours of a status page.
 *
 * @param name name shown at the top of the e-mail
 */
export const plainPage = (name: string): MailPage => ({
  id: '',
  name,
  language: 'en',
  time_zone: 'UTC',
  url: null,
  support_url: null,
  email_logo: null,
  company_logo: null,
  notifications_email_footer: null,
  css_body_background_color: null,
  css_font_color: null,
  css_link_color: null,
  css_button_color: null,
  css_button_text_color: null,
  css_border_color: null,
  css_light_font_color: null,
});

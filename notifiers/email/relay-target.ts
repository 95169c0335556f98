/** What all e-mail shares a limit by: it goes through the relay, whichever that is. */
export const MAIL_RELAY = 'the mail relay';

/** The rate-limit target of all e-mail: everything goes through the relay, whichever that is. */
export const MAIL_RELAY = 'the mail relay';

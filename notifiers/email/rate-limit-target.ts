/**
 * The rate-limit target of all e-mail. It does not depend on the configured relay, because all e-mail goes through the
 * same one.
 */
export const MAIL_RELAY = 'the mail relay';

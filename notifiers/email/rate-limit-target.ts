/**
 * The rate-limit target of all e-mail. The target does not depend on the configured relay, because the service sends
 * all e-mail through one relay.
 */
export const MAIL_RELAY = 'the mail relay';

import { verifyToken, signedToken, type Link, type Mac } from '../signed-token.ts';
import { DAY_MS, HOUR_MS, later, type Instant } from '../time.ts';

/** The purposes that are signed in account links. */
export const INVITATION = 'invitation';
export const PASSWORD_RESET = 'password-reset';

/**
 * How long links are valid, in milliseconds: from the time when the invitation was last sent, or the reset was
 * requested.
 */
export const INVITATION_MS = 7 * DAY_MS;
export const PASSWORD_RESET_MS = HOUR_MS;

/**
 * How a link reaches its user. `mailed`: only to the e-mail address, so that using the link proves ownership of the
 * address. `shown`: to the inviting user or the operator, who passes it on.
 */
export type LinkPurpose = 'mailed' | 'shown';

/** The content of an invitation link. Only the link with the newest number is valid. */
export interface InvitationLink {
  organizationId: string;
  userId: string;
  invitation: number;
  way: LinkPurpose;
}

/** The content of a password reset link. Only the link with the newest number is valid, and only once. */
export interface ResetLink {
  organizationId: string;
  userId: string;
  reset: number;
  way: LinkPurpose;
}

/**
 * The console screens that the links open. The token is in the fragment of the URL, which browsers do not send to
 * servers.
 */
export const CONSOLE_ACCEPT_PATH = '/console/invitation';
export const CONSOLE_RESET_PATH = '/console/reset';

/** Links in messages from earlier releases lead to these pages. The links have the token in the query. */
export const ACCEPT_PATH = '/users/accept';
export const RESET_PATH = '/users/reset-password';

const consolePath = async (path: string, link: Link, mac: Mac): Promise<string> =>
  `${path}#token=${await signedToken(link, mac)}`;

/** @param sentAt when the invitation was sent; the link is valid for seven days from then */
export const invitationPath = (link: InvitationLink, sentAt: Instant, mac: Mac): Promise<string> => {
  const { organizationId, userId, invitation, way } = link;
  const subject = `${userId}.${invitation}.${way}`;
  const expiresAt = later(sentAt, INVITATION_MS);
  return consolePath(CONSOLE_ACCEPT_PATH, { purpose: INVITATION, organizationId, subject, expiresAt }, mac);
};

/** @param requestedAt when the reset was requested; the link is valid for an hour from then */
export const resetPath = (link: ResetLink, requestedAt: Instant, mac: Mac): Promise<string> => {
  const { organizationId, userId, reset, way } = link;
  const subject = `${userId}.${reset}.${way}`;
  const expiresAt = later(requestedAt, PASSWORD_RESET_MS);
  return consolePath(CONSOLE_RESET_PATH, { purpose: PASSWORD_RESET, organizationId, subject, expiresAt }, mac);
};

/**
 * Verifies the token of an invitation link. Returns null if the token is invalid, has another purpose, or has expired.
 */
export const verifyInvitationLink = async (token: string, now: Instant, mac: Mac): Promise<InvitationLink | null> => {
  const link = await verifyToken(token, INVITATION, now, mac);
  const invitation = link && readInvitation(link.subject);
  return link && invitation && { organizationId: link.organizationId, ...invitation };
};

/** Parses the subject of an invitation link; null if it is invalid. */
export const readInvitation = (subject: string): Omit<InvitationLink, 'organizationId'> | null => {
  const parsed = numbered(subject);
  return parsed && { userId: parsed.userId, invitation: parsed.number, way: parsed.way };
};

/**
 * Verifies the token of a password reset link. Returns null if the token is invalid, has another purpose, or has
 * expired.
 */
export const verifyResetLink = async (token: string, now: Instant, mac: Mac): Promise<ResetLink | null> => {
  const link = await verifyToken(token, PASSWORD_RESET, now, mac);
  const reset = link && readReset(link.subject);
  return link && reset && { organizationId: link.organizationId, ...reset };
};

/** Parses the subject of a password reset link; null if it is invalid. */
export const readReset = (subject: string): Omit<ResetLink, 'organizationId'> | null => {
  const parsed = numbered(subject);
  return parsed && { userId: parsed.userId, reset: parsed.number, way: parsed.way };
};

const numbered = (subject: string): { userId: string; number: number; way: LinkPurpose } | null => {
  const [, userId, number, way] = /^([a-z0-9]{12})\.([1-9]\d{0,8})\.(mailed|shown)$/.exec(subject) ?? [];
  return userId === undefined ? null : { userId, number: Number(number), way: way as LinkPurpose };
};

import { openedToken, signedToken, type Link, type Mac } from '../signed-token.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';

/** What links of accounts are signed for. */
export const INVITATION = 'invitation';
export const PASSWORD_RESET = 'password-reset';

/** How long they work, in milliseconds: after the invitation was sent last, and after the reset was asked for. */
export const INVITATION_MS = 7 * 86_400_000;
export const PASSWORD_RESET_MS = 3_600_000;

/**
 * How a link got to the user: `mailed` to the e-mail and nowhere else, which proves whose that is, or `shown` to who
 * invited the user, or to the operator.
 */
export type Way = 'mailed' | 'shown';

/** An invitation of a user: the newest number alone counts. */
export interface InvitationLink {
  organizationId: string;
  userId: string;
  invitation: number;
  way: Way;
}

/** A reset of a user's password: the newest number alone counts, and once. */
export interface ResetLink {
  organizationId: string;
  userId: string;
  reset: number;
  way: Way;
}

/** The screens of the console that the links open. The token is in the fragment, which browsers send to nobody. */
export const CONSOLE_ACCEPT_PATH = '/console/invitation';
export const CONSOLE_RESET_PATH = '/console/reset';

/** Pages of the site that links in earlier messages open, with the token in the query. */
export const ACCEPT_PATH = '/users/accept';
export const RESET_PATH = '/users/reset-password';

const consolePath = async (path: string, link: Link, mac: Mac): Promise<string> =>
  `${path}#token=${await signedToken(link, mac)}`;

/** @param sentAt when the invitation was sent, from which it works seven days */
export const invitationPath = (link: InvitationLink, sentAt: Instant, mac: Mac): Promise<string> => {
  const { organizationId, userId, invitation, way } = link;
  const subject = `${userId}.${invitation.toString()}.${way}`;
  const expiresAt = after(sentAt, INVITATION_MS);
  return consolePath(CONSOLE_ACCEPT_PATH, { purpose: INVITATION, organizationId, subject, expiresAt }, mac);
};

/** @param askedAt when the reset was asked for, from which the link works an hour */
export const resetPath = (link: ResetLink, askedAt: Instant, mac: Mac): Promise<string> => {
  const { organizationId, userId, reset, way } = link;
  const subject = `${userId}.${reset.toString()}.${way}`;
  const expiresAt = after(askedAt, PASSWORD_RESET_MS);
  return consolePath(CONSOLE_RESET_PATH, { purpose: PASSWORD_RESET, organizationId, subject, expiresAt }, mac);
};

/** What an invitation's token says; null: it is of another kind, was not signed here, or has expired. */
export const openedInvitation = async (token: string, now: Instant, mac: Mac): Promise<InvitationLink | null> => {
  const link = await openedToken(token, INVITATION, now, mac);
  const said = link && readInvitation(link.subject);
  return link && said && { organizationId: link.organizationId, ...said };
};

/** The subject of an invitation's link; null: it is none. */
export const readInvitation = (subject: string): Omit<InvitationLink, 'organizationId'> | null => {
  const said = numbered(subject);
  return said && { userId: said.userId, invitation: said.number, way: said.way };
};

/** What the token of a reset says; null: it is of another kind, was not signed here, or has expired. */
export const openedReset = async (token: string, now: Instant, mac: Mac): Promise<ResetLink | null> => {
  const link = await openedToken(token, PASSWORD_RESET, now, mac);
  const said = link && readReset(link.subject);
  return link && said && { organizationId: link.organizationId, ...said };
};

/** The subject of a reset's link; null: it is none. */
export const readReset = (subject: string): Omit<ResetLink, 'organizationId'> | null => {
  const said = numbered(subject);
  return said && { userId: said.userId, reset: said.number, way: said.way };
};

const numbered = (subject: string): { userId: string; number: number; way: Way } | null => {
  const [, userId, number, way] = /^([a-z0-9]{12})\.([1-9]\d{0,8})\.(mailed|shown)$/.exec(subject) ?? [];
  return userId === undefined ? null : { userId, number: Number(number), way: way as Way };
};

const after = (instant: Instant, milliseconds: number): Instant => instantOf(millisecondsOf(instant) + milliseconds);

import { computed, signal } from '@preact/signals';
import type { Schemas } from '../api/openapi.d.ts';
import { request } from '../api/request.ts';
import { runExclusively, onTabMessage, broadcastToTabs, type SignedIn } from './tab-messages.ts';

export type SessionState =
  /** the console has not determined yet whether there is a session */
  | { status: 'starting' }
  /** the service does not respond */
  | { status: 'unreachable' }
  /** the service has no user yet, so the first one must be created */
  | { status: 'first run' }
  /** `ended`: the session has just ended */
  | { status: 'signed out'; ended: boolean }
  | ({ status: 'signed in' } & SignedIn);

/** Remaining lifetime below which an access token is no longer used, in milliseconds. */
const MARGIN_MS = 30_000;

const state = signal<SessionState>({ status: 'starting' });

/** The session state of this browser. */
export const session = computed<SessionState>(() => state.value);

/** The signed-in user; null: none. */
export const user = computed<SignedIn['user'] | null>(() =>
  state.value.status === 'signed in' ? state.value.user : null,
);

/** Whether the signed-in user is allowed to see the state of the service. */
export const operatesService = computed<boolean>(
  () => state.value.status === 'signed in' && state.value.operatesService,
);

const currentSession = (): SignedIn | null => (state.peek().status === 'signed in' ? (state.peek() as SignedIn) : null);

const applySession = (signedIn: SignedIn): void => {
  state.value = { status: 'signed in', ...signedIn };
};

const end = (): void => {
  if (currentSession()) state.value = { status: 'signed out', ended: true };
};

const begin = (started: Schemas['BrowserSession']): SignedIn => {
  const { access_token, expires_in, user, operates_service: operatesService } = started;
  const begun = { access: access_token, endsAt: Date.now() + expires_in * 1_000, user, operatesService };
  applySession(begun);
  broadcastToTabs({ kind: 'session', session: begun });
  return begun;
};

const isUsable = ({ endsAt }: SignedIn): boolean => endsAt - MARGIN_MS > Date.now();

let refreshing: Promise<SignedIn | null> | null = null;

/**
 * Gets a new access token, unless another tab has already got one.
 *
 * @param refused the expired token; null: this tab has no token
 * @returns null if the session has ended
 * @throws Failure
 */
const refresh = (refused: string | null): Promise<SignedIn | null> =>
  (refreshing ??= runExclusively(async () => {
    const current = currentSession();
    if (current && current.access !== refused && isUsable(current)) return current;
    const { session } = await request('POST /v1/session/refresh', {}, { keepalive: true });
    if (session) return begin(session);
    end();
    broadcastToTabs({ kind: current ? 'ended' : 'none found' });
    return null;
  }).finally(() => {
    refreshing = null;
  }));

onTabMessage((news) => {
  if (news.kind === 'session') applySession(news.session);
  else if (news.kind === 'ended') end();
  // Another tab found no session. However, the user may have signed in after that tab had checked. So get a new token,
  // which is broadcast to all tabs.
  else if (currentSession()) refresh(currentSession()?.access ?? null).catch(() => undefined);
});

/** Determines whether this browser has a session. */
export const startSession = async (): Promise<void> => {
  state.value = { status: 'starting' };
  try {
    if (await refresh(null)) return;
    const { needed } = await request('GET /v1/session/first-user', {});
    if (!currentSession()) state.value = needed ? { status: 'first run' } : { status: 'signed out', ended: false };
  } catch {
    if (!currentSession()) state.value = { status: 'unreachable' };
  }
};

/**
 * Returns an access token that has not expired. The service may still reject the token, for example because the session
 * was ended.
 *
 * @param refused a token that the service has rejected
 * @returns null if the session has ended
 * @throws Failure
 */
export const accessToken = async (refused: string | null = null): Promise<string | null> => {
  const current = currentSession();
  if (!current) return null;
  if (current.access !== refused && isUsable(current)) return current.access;
  return (await refresh(current.access))?.access ?? null;
};

/**
 * Signs in.
 *
 * @returns the challenge for the second factor, to pass to {@link signInByCode}; null if the user is signed in
 */
export const signIn = async (email: string, password: string): Promise<string | null> => {
  const answer = await request('POST /v1/session/login', { body: { email, password } });
  if ('challenge' in answer) return answer.challenge;
  begin(answer);
  return null;
};

export const signInByCode = async (challenge: string, code: string): Promise<void> => {
  begin(await request('POST /v1/session/totp', { body: { challenge, code } }));
};

/** Returns whether an API key is allowed to create the first user. @throws Failure 401: the key is invalid */
export const mayCreateFirstUser = async (key: string): Promise<boolean> =>
  (await request('GET /v1/session/first-user', {}, { credential: key })).needed;

/** Creates the first user and signs in. @throws Failure 409: a user already exists */
export const createFirstUser = async (key: string, email: string, password: string): Promise<void> => {
  begin(await request('POST /v1/session/first-user', { body: { email, password } }, { credential: key }));
};

/** Shows the sign-in after somebody else has created the first user. */
export const leaveFirstRun = (): void => {
  state.value = { status: 'signed out', ended: false };
};

/** Updates the signed-in user in all tabs. */
export const changeUser = (user: SignedIn['user']): void => {
  const current = currentSession();
  if (!current) return;
  const session = { ...current, user };
  applySession(session);
  broadcastToTabs({ kind: 'session', session });
};

/** Ends the session in all tabs. @throws Failure the service does not respond; the session has not ended */
export const signOut = async (): Promise<void> => {
  await runExclusively(() => request('POST /v1/session/logout', {}, { keepalive: true }));
  state.value = { status: 'signed out', ended: false };
  broadcastToTabs({ kind: 'ended' });
};

import {
  addSubscriber,
  identifySubscriber,
  usableAddress,
  type Identified,
  type NewSubscriber as Subscribing,
} from '../../../commands/pages/sign-up.ts';
import { Forbidden, Invalid } from '../../../domain/errors.ts';
import { readAddress, type Address, type AddressInput } from '../../../domain/subscriber/address.ts';
import { hears } from '../../../domain/subscriber/notification-filter.ts';
import { SUBSCRIBER_MODES, type Narrowing, type SubscriberMode } from '../../../domain/subscriber/events.ts';
import { mayAsk } from '../../../domain/subscriber/limits.ts';
import { whyNoRoom, whyNotTaken } from '../../../domain/subscriber/acceptance.ts';
import { unconfirmedUntil } from '../../../domain/subscriber/retention-periods.ts';
import { HttpError } from '../../../http/errors.ts';
import { inEvenTime } from '../../../http/uniform-duration.ts';
import { tooMany } from '../../../http/rate-limit.ts';
import type { Sentences } from '../../../http/validation-messages.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { findSubscriber, narrowingProblems, purgeTimes, signUpCounts } from '../../../queries/pages/subscribers.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { created, type Answer, type Call } from '../../route.ts';
import { presentAsNew, presentSubscriber } from './present.ts';
import type { SubscriberWithSecret, NewSubscriber } from './schema.ts';

export const PATH = '/v1/pages/{page_id}/subscribers';

/** A request to subscribe, and its page. */
type SignUpCall = Pick<
  Call<unknown, unknown, NewSubscriber>,
  'body' | 'clientAddress' | 'commands' | 'context' | 'may' | 'scope'
> & { found: PageDocument };

/** The components and the incident of a subscription. An empty list of components means all. */
const narrowingIn = ({ component_ids, incident_id }: NewSubscriber): Narrowing => ({
  component_ids: component_ids && component_ids.length > 0 ? [...new Set(component_ids)] : null,
  incident_id: incident_id ?? null,
});

/** Visitors can't add a subscription without notifications. @param trusted the caller may write subscribers */
const silenceProblems = ({ deliver_notifications }: Readonly<Record<string, unknown>>, trusted: boolean): Sentences =>
  !trusted && deliver_notifications === false
    ? { deliver_notifications: ['Must be true or absent without the key of an editor.'] }
    : {};

/**
 * Subscribes an address to a page (decisions.md: Subscribers).
 *
 * @throws Invalid, Forbidden, Conflict
 * @throws HttpError 403 the key may not write, and the page is not public; 429
 */
export const signUp = async (call: SignUpCall): Promise<Answer> => {
  const { body, found: page, clientAddress, commands, may, scope } = call;
  const trusted = may('subscribers.write');
  if (!trusted && !hears(page, { added_with_key: false }))
    throw new HttpError(403, 'This needs the role editor or admin.');
  const narrowing = narrowingIn(body);
  const read = commands.ask(usableAddress)(body);
  const problems = { ...silenceProblems(body, trusted), ...(await narrowingProblems(scope, page, narrowing)) };
  if ('problems' in read) throw new Invalid({ json: { ...read.problems, ...problems } });
  if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
  requireAllowed(page, body.mode, narrowing);
  const { address } = read;
  if (trusted) return added(call, address, narrowing);
  commands.ask(({ signUps }) => signUps).admit(clientAddress);
  return inEvenTime(() => asNew(call, address, narrowing));
};

/** With a key: responds with the current subscription. */
const added = async (call: SignUpCall, address: Address, narrowing: Narrowing): Promise<Answer> => {
  const { body, found: page, may, scope } = call;
  const skips = body.mode !== 'webhook' && body.skip_confirmation_notification === true;
  const { deliver_notifications: delivers } = body;
  const terms = { narrowing, trusted: true, skips, ...(delivers !== undefined && { delivers }) };
  const { who, secret } = await subscribed(call, address, terms);
  const path = { page_id: page.id, subscriber_id: who.id };
  return created(locationOf(who), who.id, async () => ({
    ...(await presentSubscriber(scope, await findSubscriber(scope, path), may('secrets.reveal'))),
    ...(secret !== null && { secret }),
  }));
};

/** Without a key: responds as for a new subscription, so that visitors can't find out who has subscribed before. */
const asNew = async (call: SignUpCall, address: Address, narrowing: Narrowing): Promise<Answer> => {
  const { now } = call.context;
  const { who, secret } = await subscribed(call, address, { narrowing, trusted: false, skips: false });
  const { id, page_id } = who;
  const { incident_id } = narrowing;
  const purge_at = await purgeTimes(call.scope)({ incident_id, purge_at: unconfirmedUntil(now) });
  const requested = { id, page_id, ...narrowing, created_at: now, purge_at };
  const shown: SubscriberWithSecret = { ...presentAsNew(requested, address), ...(secret !== null && { secret }) };
  return created(locationOf(who), id, () => shown);
};

const locationOf = ({ page_id, id }: Identified): string => `/v1/pages/${page_id}/subscribers/${id}`;

const subscribed = async (
  { found: page, commands, context, scope }: SignUpCall,
  address: Address,
  wanted: Omit<Subscribing, 'mayAsk'>,
): Promise<{ who: Identified; secret: string | null }> => {
  const limits = commands.ask(({ signUps }) => signUps);
  const who = await commands.ask(identifySubscriber)(page.id, address);
  const counts = await signUpCounts(scope, who);
  requireRoom(counts, limits, { ...wanted, mode: address.mode, now: scope.now });
  const subscribing = { ...wanted, mayAsk: mayAsk(counts.asked, limits, scope.now) };
  return { who, ...(await commands.ask(addSubscriber)(who, subscribing, context)) };
};

/** @throws Forbidden the page does not take this kind of subscription (spec.md: Subscribers) */
const requireAllowed = (page: PageDocument, mode: SubscriberMode, narrowing: Narrowing): void => {
  const sentence = whyNotTaken(page, mode, narrowing);
  if (sentence !== null) throw new Forbidden(sentence);
};

/** @throws HttpError 429 */
const requireRoom = (...[counts, limits, who]: Parameters<typeof whyNoRoom>): void => {
  const lack = whyNoRoom(counts, limits, who);
  if (lack) throw tooMany(lack.sentence, lack.retryAfter);
};

/** Applies the domain rules to the fields that have the right type; other fields count as absent. */
export const brokenSignUp = async (
  scope: Scope,
  page: PageDocument,
  body: Readonly<Record<string, unknown>>,
  trusted: boolean,
): Promise<Sentences> => {
  const textIn = (field: string): string | null => (typeof body[field] === 'string' ? body[field] : null);
  const mode = SUBSCRIBER_MODES.find((one) => one === body['mode']);
  const ids: unknown = body['component_ids'];
  const narrowing = {
    component_ids: Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : null,
    incident_id: textIn('incident_id'),
  };
  return {
    ...(mode && addressProblemsIn(mode, textIn)),
    ...silenceProblems(body, trusted),
    ...(await narrowingProblems(scope, page, narrowing)),
  };
};

const addressProblemsIn = (mode: SubscriberMode, textIn: (field: string) => string | null): Sentences => {
  const input: AddressInput = {
    mode,
    email: textIn('email'),
    phone_number: textIn('phone_number'),
    phone_country: textIn('phone_country'),
    endpoint: textIn('endpoint'),
  };
  const read = readAddress(input);
  return 'problems' in read ? read.problems : {};
};

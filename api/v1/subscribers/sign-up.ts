import {
  addSubscriber,
  identifySubscriber,
  usableAddress,
  type IdentifiedSubscriber,
  type NewSubscriber as Subscribing,
} from '../../../commands/pages/sign-up.ts';
import { Forbidden, Invalid } from '../../../domain/errors.ts';
import { readAddress, type Address, type AddressInput } from '../../../domain/subscriber/address.ts';
import { passesFilter } from '../../../domain/subscriber/notification-filter.ts';
import { SUBSCRIBER_MODES, type Narrowing, type SubscriberMode } from '../../../domain/subscriber/events.ts';
import { mayRequestConfirmation } from '../../../domain/subscriber/limits.ts';
import { signUpLimitReached, subscriptionRefusal } from '../../../domain/subscriber/acceptance.ts';
import { unconfirmedUntil } from '../../../domain/subscriber/retention-periods.ts';
import { HttpError } from '../../../http/errors.ts';
import { withUniformDuration } from '../../../http/uniform-duration.ts';
import { tooMany } from '../../../http/rate-limit.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import {
  findSubscriber,
  scopeProblems,
  createPurgeTimes,
  readSignUpCounts,
} from '../../../queries/pages/subscribers.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { created, type RouteResponse, type Call } from '../../route.ts';
import { presentNewSubscription, presentSubscriber } from './present.ts';
import type { SubscriberWithSecret, NewSubscriber } from './schema.ts';

export const SUBSCRIBERS_PATH = '/v1/pages/{page_id}/subscribers';

/** A request to subscribe, and its page. */
type SignUpCall = Pick<
  Call<unknown, unknown, NewSubscriber>,
  'body' | 'clientAddress' | 'commands' | 'context' | 'may' | 'scope'
> & { found: PageDocument };

/** Returns the components and the incident of a subscription. An empty list of components means all components. */
const narrowingIn = ({ component_ids, incident_id }: NewSubscriber): Narrowing => ({
  component_ids: component_ids && component_ids.length > 0 ? [...new Set(component_ids)] : null,
  incident_id: incident_id ?? null,
});

/**
 * Refuses visitors who request a subscription without notifications.
 *
 * @param trusted whether the caller has a key that allows this; false for visitors
 */
const silenceProblems = (
  { deliver_notifications }: Readonly<Record<string, unknown>>,
  trusted: boolean,
): FieldMessages =>
  !trusted && deliver_notifications === false
    ? { deliver_notifications: ['Must be true or absent without the key of an editor.'] }
    : {};

/**
 * Subscribes an address to a page (docs/reference/subscribers.md#subscribing).
 *
 * @throws Invalid, Forbidden, Conflict
 * @throws HttpError 403 if the page is not public and the key does not permit changing subscribers
 * @throws HttpError 429
 */
export const signUp = async (call: SignUpCall): Promise<RouteResponse> => {
  const { body, found: page, clientAddress, commands, may, scope } = call;
  const trusted = may('subscribers.write');
  if (!trusted && !passesFilter(page, { added_with_key: false }))
    throw new HttpError(403, 'This needs the role editor or admin.');
  const narrowing = narrowingIn(body);
  const read = commands.bind(usableAddress)(body);
  const problems = { ...silenceProblems(body, trusted), ...(await scopeProblems(scope, page, narrowing)) };
  if ('problems' in read) throw new Invalid({ json: { ...read.problems, ...problems } });
  if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
  requireAllowed(page, body.mode, narrowing);
  const { address } = read;
  if (trusted) return added(call, address, narrowing);
  commands.bind(({ signUps }) => signUps).admit(clientAddress);
  return withUniformDuration(() => asNew(call, address, narrowing));
};

/** Subscribes an address for a caller with a key. Responds with the current subscription. */
const added = async (call: SignUpCall, address: Address, narrowing: Narrowing): Promise<RouteResponse> => {
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

/**
 * Subscribes an address for a visitor. Always responds as for a new subscription, so that visitors can't find out who
 * has subscribed before.
 */
const asNew = async (call: SignUpCall, address: Address, narrowing: Narrowing): Promise<RouteResponse> => {
  const { now } = call.context;
  const { who, secret } = await subscribed(call, address, { narrowing, trusted: false, skips: false });
  const { id, page_id } = who;
  const { incident_id } = narrowing;
  const purge_at = await createPurgeTimes(call.scope)({ incident_id, purge_at: unconfirmedUntil(now) });
  const requested = { id, page_id, ...narrowing, created_at: now, purge_at };
  const shown: SubscriberWithSecret = {
    ...presentNewSubscription(requested, address),
    ...(secret !== null && { secret }),
  };
  return created(locationOf(who), id, () => shown);
};

const locationOf = ({ page_id, id }: IdentifiedSubscriber): string => `/v1/pages/${page_id}/subscribers/${id}`;

const subscribed = async (
  { found: page, commands, context, scope }: SignUpCall,
  address: Address,
  wanted: Omit<Subscribing, 'mayAsk'>,
): Promise<{ who: IdentifiedSubscriber; secret: string | null }> => {
  const limits = commands.bind(({ signUps }) => signUps);
  const who = await commands.bind(identifySubscriber)(page.id, address);
  const counts = await readSignUpCounts(scope, who);
  requireRoom(counts, limits, { ...wanted, mode: address.mode, now: scope.now });
  const subscribing = { ...wanted, mayAsk: mayRequestConfirmation(counts.asked, limits, scope.now) };
  return { who, ...(await commands.bind(addSubscriber)(who, subscribing, context)) };
};

/** @throws Forbidden if the page does not take this kind of subscription (docs/reference/subscribers.md#subscribing) */
const requireAllowed = (page: PageDocument, mode: SubscriberMode, narrowing: Narrowing): void => {
  const sentence = subscriptionRefusal(page, mode, narrowing);
  if (sentence !== null) throw new Forbidden(sentence);
};

/** @throws HttpError 429 */
const requireRoom = (...[counts, limits, who]: Parameters<typeof signUpLimitReached>): void => {
  const lack = signUpLimitReached(counts, limits, who);
  if (lack) throw tooMany(lack.sentence, lack.retryAfter);
};

/** Applies the rules of the domain to the fields that have the correct type. Treats other fields as absent. */
export const signUpBodyErrors = async (
  scope: Scope,
  page: PageDocument,
  body: Readonly<Record<string, unknown>>,
  trusted: boolean,
): Promise<FieldMessages> => {
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
    ...(await scopeProblems(scope, page, narrowing)),
  };
};

const addressProblemsIn = (mode: SubscriberMode, textIn: (field: string) => string | null): FieldMessages => {
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

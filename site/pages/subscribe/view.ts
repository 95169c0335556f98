import { phoneCountries } from '../../../domain/subscriber/phone-number.ts';
import { acceptedModes } from '../../../domain/subscriber/accepted-modes.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { componentsForVisitors } from '../../../queries/pages/visible-components.ts';
import { scopeProblems } from '../../../queries/pages/subscribers.ts';
import type { SubscriptionScope } from '../../../views/subscription/scope-choice.tsx';
import type { SubscribePageProps } from '../../../views/subscription/subscribe-page.tsx';
import { componentChoices } from '../../subscriptions/component-choices.ts';
import { formFrameOf } from '../frame.ts';
import type { PageVisit } from '../page-route.ts';
import type { SubscriptionRequest } from './form.ts';

/** The errors above and next to the fields of a rejected form. */
export type FormErrors = Pick<SubscribePageProps, 'problems' | 'failure'>;

const NOTHING_WRONG: FormErrors = { problems: {}, failure: null };

/**
 * Returns the view model of the form, filled in with submitted values or with values in the URL.
 *
 * @param smsCountries codes of the countries to which text messages can be sent; null: all countries
 */
export const subscribeView = async (
  visit: PageVisit,
  requested: SubscriptionRequest,
  smsCountries: ReadonlySet<string> | null,
  refusal: FormErrors = NOTHING_WRONG,
): Promise<SubscribePageProps> => {
  const { page, scope, sentModes } = visit;
  const [components, incident] = await Promise.all([
    componentsForVisitors(scope, page).then(({ visible }) => componentChoices(visible)),
    followedIncident(visit, requested.incidentId),
  ]);
  const takesPage = acceptedModes(page, 'page', sentModes).length > 0;
  const scopes: SubscriptionScope[] = [
    ...(incident ? ['incident' as const] : []),
    ...(takesPage ? ['page' as const] : []),
    ...(takesPage && components.length > 0 ? ['components' as const] : []),
  ];
  const modes = acceptedModes(page, incident ? 'incident' : 'page', sentModes);
  const chosen = new Set(requested.componentIds);
  return {
    frame: formFrameOf(visit),
    modes,
    typed: { ...requested.typed, phone_country: requested.typed.phone_country || regionOf(visit.sent) },
    countries: modes.includes('sms') ? countriesIn(visit.choices.language, smsCountries) : [],
    scopes,
    scope: scopes.find((one) => one === requested.scope) ?? scopes[0] ?? 'page',
    components,
    chosen,
    incident,
    ...refusal,
  };
};

/** Returns the incident with the requested id if it accepts subscriptions, and otherwise null. */
const followedIncident = async (
  { page, scope, sentModes }: PageVisit,
  incident_id: string | null,
): Promise<SubscribePageProps['incident']> => {
  if (incident_id === null || acceptedModes(page, 'incident', sentModes).length === 0) return null;
  const problems = await scopeProblems(scope, page, { incident_id });
  const incident = await scope.read(incidents).incidents.get(incident_id);
  if (Object.keys(problems).length > 0 || !incident) return null;
  const { id, name, kind } = incident;
  return { id, name, kind: kind === 'maintenance' ? 'maintenance' : 'regular' };
};

const countriesIn = (language: string, codes: ReadonlySet<string> | null): SubscribePageProps['countries'] => {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  return phoneCountries()
    .filter(({ code }) => codes?.has(code) ?? true)
    .map(({ code, callingCode }) => ({ code, callingCode, name: names.of(code) ?? code }))
    .sort((a, b) => compare(a.name, b.name));
};

/**
 * Returns the region of the language that the browser prefers: `de-DE, en;q=0.5` → `DE`. Returns an empty text if the
 * language has no region.
 */
const regionOf = (sent: PageVisit['sent']): string =>
  /^\s*[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/i.exec(sent.header('accept-language') ?? '')?.[1]?.toUpperCase() ?? '';

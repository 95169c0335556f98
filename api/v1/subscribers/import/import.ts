import {
  addSubscriber,
  identifySubscriber,
  prepareSubscribers,
  usableAddress,
  type IdentifiedSubscriber,
} from '../../../../commands/pages/sign-up.ts';
import { Conflict } from '../../../../domain/errors.ts';
import type { Narrowing } from '../../../../domain/subscriber/events.ts';
import { mayRequestConfirmation } from '../../../../domain/subscriber/limits.ts';
import { signUpLimitReached, subscriptionRefusal } from '../../../../domain/subscriber/acceptance.ts';
import type { FieldMessages } from '../../../../http/validation-messages.ts';
import type { PageDocument } from '../../../../projections/pages/documents.ts';
import { subscribers } from '../../../../projections/subscribers/projection.ts';
import type { Scope } from '../../../../queries/engine/scope.ts';
import {
  scopeProblems,
  countSmsConfirmationsToday,
  readConfirmationRequestTimes,
} from '../../../../queries/pages/subscribers.ts';
import type { Call } from '../../../route.ts';
import type { ImportedSubscriber, ParsedLine } from './columns.ts';
import type { ImportResult } from './schema.ts';

/** A line of the file. */
export interface ImportLine {
  /** Line number, starting at 1. */
  line: number;
  read: ParsedLine;
}

type Importing = Pick<Call<unknown, unknown, unknown>, 'commands' | 'context' | 'signal'> & {
  scope: Scope;
  found: PageDocument;
};

interface Options {
  /** Whether e-mail and SMS subscriptions need no confirmation. A line can override this. */
  skips: boolean;
  /** Returns whether there is time for another batch. */
  hasTime: () => boolean;
}

/** Number of lines that are processed concurrently, so that their events and keys share writes. */
const AT_ONCE = 100;

type Outcome = Omit<ImportResult, 'line'>;

/**
 * Adds the subscribers of a file. Each line has the same effect as a POST request that is authenticated with a key,
 * with two exceptions: existing subscriptions stay unchanged, and ended subscriptions are not renewed. Importing the
 * same file again changes nothing.
 *
 * @returns the result of each line, in the order of the lines
 */
export const importSubscribers = async (
  call: Importing,
  lines: readonly ImportLine[],
  options: Options,
): Promise<ImportResult[]> => {
  const { identify, add } = await importing(call, options);
  const results: ImportResult[] = [];
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    call.signal.throwIfAborted();
    const some = lines.slice(from, from + AT_ONCE);
    const outcomes = options.hasTime() ? await importSome(call, some, identify, add) : some.map(() => NO_TIME);
    for (const [index, outcome] of outcomes.entries()) results.push({ line: some[index]?.line ?? 0, ...outcome });
  }
  return results;
};

const importSome = async (
  { commands, scope }: Importing,
  lines: readonly ImportLine[],
  identify: (read: ParsedLine) => Promise<Outcome | Wanted>,
  add: (wanted: Wanted) => Promise<Outcome>,
): Promise<Outcome[]> => {
  const identified = await Promise.all(lines.map(({ read }) => identify(read)));
  const ids = identified.flatMap((one) => ('who' in one ? [one.who.id] : []));
  const known = new Set((await scope.read(subscribers).subscribers.getMany(ids)).map(({ id }) => id));
  await commands.bind(prepareSubscribers)(ids.filter((id) => !known.has(id)));
  return Promise.all(identified.map(async (one) => ('who' in one ? add(one) : one)));
};

/** A line with a valid address that the page accepts. */
interface Wanted {
  who: IdentifiedSubscriber;
  read: ImportedSubscriber;
  narrowing: Narrowing;
}

const refused = (status: number, message: string, errors: FieldMessages = {}): Outcome => ({
  id: null,
  status,
  error: { message, errors },
});

const NO_TIME = refused(503, 'This line was not processed in time. Send the file again.');

/**
 * Creates the functions that validate and add a line. The functions share state, so that a line can depend on earlier
 * lines.
 */
const importing = async ({ commands, context, scope, found: page }: Importing, { skips }: Options) => {
  const limits = commands.bind(({ signUps }) => signUps);
  /** The result of the most recent line for each subscriber. */
  const seen = new Map<string, Promise<Outcome>>();
  const narrowings = new Map<string, Promise<FieldMessages>>();
  /** Number of confirmation requests that were sent today. */
  const requests = { sms: await countSmsConfirmationsToday(scope) };

  /**
   * Validates the components and the incident of a line. Results are cached, because many lines name the same
   * components.
   */
  const problemsOf = (narrowing: Narrowing): Promise<FieldMessages> => {
    const key = JSON.stringify(narrowing);
    const known = narrowings.get(key) ?? scopeProblems(scope, page, narrowing);
    narrowings.set(key, known);
    return known;
  };

  const identify = async (read: ParsedLine): Promise<Outcome | Wanted> => {
    if ('problems' in read) return refused(422, 'The line is invalid.', read.problems);
    if (GONE.has(read.status)) return refused(409, 'According to the file, this subscriber must not receive messages.');
    const narrowing = { component_ids: read.component_ids, incident_id: read.incident_id };
    const address = commands.bind(usableAddress)(read);
    const problems = { ...('problems' in address && address.problems), ...(await problemsOf(narrowing)) };
    if ('problems' in address || Object.keys(problems).length > 0) {
      return refused(422, 'The line is invalid.', problems);
    }
    const notTaken = subscriptionRefusal(page, read.mode, narrowing);
    if (notTaken !== null) return refused(403, notTaken);
    return { who: await commands.bind(identifySubscriber)(page.id, address.address), read, narrowing };
  };

  /** Adds a subscriber. If an earlier line has added the same subscriber, this line changes nothing. */
  const addOnce = (wanted: Wanted): Promise<Outcome> => {
    const { id } = wanted.who;
    const earlier = seen.get(id);
    const outcome = earlier
      ? earlier.then(({ error }) => (error ? add(wanted) : { id, status: 200, error }))
      : add(wanted);
    seen.set(id, outcome);
    return outcome;
  };

  const add = async ({ who, read, narrowing }: Wanted): Promise<Outcome> => {
    const { id } = who;
    const isSkipped =
      read.mode !== 'webhook' && (read.skip_confirmation_notification ?? skips) && !UNCONFIRMED.has(read.status);
    const terms = { mode: read.mode, trusted: true, skips: isSkipped, now: scope.now };
    const asksBySms = read.mode === 'sms' && !isSkipped;
    const lack = signUpLimitReached({ unconfirmed: 0, smsToday: requests.sms }, limits, terms);
    if (lack) return refused(429, lack.sentence);
    // Count before the first await, because other lines are processed concurrently and check the same limit.
    if (asksBySms) requests.sms += 1;
    const times = isSkipped ? [] : await readConfirmationRequestTimes(scope, who.address_key);
    const wanted = { narrowing, ...terms, delivers: read.deliver_notifications, imported: true };
    try {
      const { done } = await commands.bind(addSubscriber)(
        who,
        { ...wanted, mayAsk: mayRequestConfirmation(times, limits, scope.now) },
        context,
      );
      if (asksBySms && !done) requests.sms -= 1;
      return { id, status: done ? 201 : 200, error: null };
    } catch (error) {
      if (error instanceof Conflict) return { ...refused(409, error.message), id };
      throw error;
    }
  };

  return { identify, add: addOnce };
};

/** Statuses in the file whose subscribers must not receive messages. */
const GONE: ReadonlySet<string> = new Set(['unsubscribed', 'quarantined']);
/** Statuses in the file whose subscribers must always confirm. */
const UNCONFIRMED: ReadonlySet<string> = new Set(['pending', 'unconfirmed']);

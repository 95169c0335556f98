import { addSubscriber, identifySubscriber, usableAddress } from '../../commands/pages/sign-up.ts';
import type { CommandContext } from '../../commands/engine/context.ts';
import type { Commands } from '../../commands/index.ts';
import { Forbidden, Invalid } from '../../domain/errors.ts';
import type { Address, AddressInput } from '../../domain/subscriber/address.ts';
import type { Narrowing } from '../../domain/subscriber/events.ts';
import { mayRequestConfirmation } from '../../domain/subscriber/limits.ts';
import { signUpLimitReached, subscriptionRefusal } from '../../domain/subscriber/acceptance.ts';
import { withUniformDuration } from '../../http/uniform-duration.ts';
import { tooMany } from '../../http/rate-limit.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { Scope } from '../../queries/engine/scope.ts';
import { scopeProblems, readSignUpCounts } from '../../queries/pages/subscribers.ts';

/** A visitor who subscribes to a public page. */
export interface VisitorSigningUp {
  page: PageDocument;
  commands: Commands;
  context: CommandContext;
  scope: Scope;
  clientAddress: string | null;
}

/** The properties of a new subscription that a stranger is allowed to know. */
export interface NewSubscription {
  /** id of the subscriber */
  id: string;
  address: Address;
  /** secret of a webhook, which is shown only once; null: none */
  secret: string | null;
}

/**
 * Subscribes an address to a page, in the same way as `POST /v1/pages/{page_id}/subscribers` without an API key.
 * Neither the result nor its timing reveals whether the address was already subscribed.
 *
 * @throws Invalid the errors are by field of `input` and `narrowing`
 * @throws Forbidden the page does not accept this kind of subscription
 * @throws Conflict a webhook is already subscribed
 * @throws HttpError 429
 */
export const signUpVisitor = async (
  { page, commands, context, scope, clientAddress }: VisitorSigningUp,
  input: AddressInput,
  narrowing: Narrowing,
): Promise<NewSubscription> => {
  const read = commands.bind(usableAddress)(input);
  const problems = await scopeProblems(scope, page, narrowing);
  if ('problems' in read) throw new Invalid({ json: { ...read.problems, ...problems } });
  if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
  const sentence = subscriptionRefusal(page, input.mode, narrowing);
  if (sentence !== null) throw new Forbidden(sentence);
  const limits = commands.bind(({ signUps }) => signUps);
  limits.admit(clientAddress);
  const { address } = read;
  return withUniformDuration(async () => {
    const who = await commands.bind(identifySubscriber)(page.id, address);
    const counts = await readSignUpCounts(scope, who);
    const lack = signUpLimitReached(counts, limits, { mode: input.mode, trusted: false, skips: false, now: scope.now });
    if (lack) throw tooMany(lack.sentence, lack.retryAfter);
    const options = {
      narrowing,
      trusted: false,
      skips: false,
      mayAsk: mayRequestConfirmation(counts.asked, limits, scope.now),
    };
    const { secret } = await commands.bind(addSubscriber)(who, options, context);
    return { id: who.id, address, secret };
  });
};

import type { JSX } from 'preact';
import type { SubscriptionWords } from '../../messages/page-words/subscription/words.ts';
import { FormProblem, Option } from './fields.tsx';
import { LinkDocument, type LinkPageFrame } from './link-document.tsx';
import { ScopeChoice, type ScopeChoiceProps } from './scope-choice.tsx';

export interface ManagePageProps {
  frame: LinkPageFrame;
  words: SubscriptionWords;
  /** masked address */
  address: string;
  /** name of the subscribed incident; null: the subscription is for the page or some of its components */
  incident: string | null;
  /** available scopes; null: the scope can't be changed */
  choice: Omit<ScopeChoiceProps, 'words' | 'incident' | 'problem'> | null;
  receives: boolean;
  standing: 'pending' | 'active' | 'quarantined';
  /** whether a change has just been saved */
  saved: boolean;
  /** error message for the selected components */
  problem: string | null;
  /** address of the page that ends the subscription */
  unsubscribe: string;
}

/** Shows a subscription to its owner, who can change or end it. */
export const ManagePage = (props: ManagePageProps): JSX.Element => {
  const { frame, words, address, incident, choice, receives, standing, saved, problem, unsubscribe } = props;
  const { manage } = words;
  return (
    <LinkDocument frame={frame} title={manage.title}>
      <h1>{manage.title}</h1>
      {saved && (
        <p class="saved" role="status">
          {manage.saved}
        </p>
      )}
      <FormProblem text={problem === null ? null : words.problem} />
      {standing !== 'active' && <p class="wrong">{manage[standing]}</p>}
      <form class="card form sheet" method="post">
        <dl class="facts">
          <dt>{manage.address}</dt>
          <dd class="address">
            <bdi>{address}</bdi>
          </dd>
        </dl>
        {incident !== null && (
          <p>
            {manage.oneIncident} <bdi>{incident}</bdi>
          </p>
        )}
        {choice !== null && <ScopeChoice {...choice} words={words} incident={null} problem={problem ?? undefined} />}
        <div class="options">
          <Option type="checkbox" name="receives" value="yes" checked={receives} help={manage.receivesHint}>
            {manage.receives}
          </Option>
        </div>
        <footer>
          <button class="button primary">{manage.save}</button>
        </footer>
      </form>
      <section class="card sheet danger">
        <p class="muted">{manage.unsubscribeText}</p>
        <p>
          <a class="button" href={unsubscribe}>
            {manage.unsubscribe}
          </a>
        </p>
      </section>
    </LinkDocument>
  );
};
